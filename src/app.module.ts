import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AnalyticsModule } from './analytics/index.js';
import { AuditModule } from './platform/audit/index.js';
import { ArtifactsModule } from './artifacts/index.js';
import { BackupScheduleModule } from './operations/backup/index.js';
import {
  BatchesModule,
  BrandingModule,
  BuyerModule,
  BuyingModule,
  CustomersModule,
  DeliveryModule,
  GiftsModule,
  LicensingModule,
  TrialsModule,
  MembersModule,
} from './licensing/index.js';
import { CommonModule, type Runtime } from './common/common.module.js';
import { ConsoleModule } from './operations/console/index.js';
import { CredentialsModule } from './credentials/index.js';
import { RequestLimitGuard } from './common/access/index.js';
import { BodyGuard } from './common/http/index.js';
import { AccessGuard, AccessModule, CiModule, RestrictionGuard } from './platform/access/index.js';
import { AccountsModule } from './platform/accounts/index.js';
import { SecondFactorGuard, SecondFactorModule, SignInModule } from './platform/sign-in/index.js';
import { DocumentsModule } from './operations/documents/index.js';
import { InstanceModule } from './operations/instance/index.js';
import { TenantDataModule } from './operations/tenant-data/index.js';
import { ListingsModule } from './listings/index.js';
import { MailModule } from './platform/mail/index.js';
import { NotificationsModule } from './notifications/index.js';
import { OverviewModule } from './operations/overview/index.js';
import { PaymentsModule } from './payments/index.js';
import { ReconcileModule } from './reconcile/index.js';
import { RegistryModule } from './registry/index.js';
import { StoresModule } from './stores/index.js';
import { TargetsModule } from './targets/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** All modules of the service. */
@Module({})
export class AppModule {
  static with(runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      providers: [
        // Nest runs them in this order, and then the guards of the route.
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_GUARD, useExisting: SecondFactorGuard },
        { provide: APP_GUARD, useClass: RequestLimitGuard },
        { provide: APP_GUARD, useClass: BodyGuard },
        // A token may be restricted by what the body names.
        { provide: APP_GUARD, useExisting: RestrictionGuard },
      ],
      imports: [
        CommonModule.with(runtime),
        // Express tries routes in this order; those that installed extensions call come first.
        LicensingModule,
        AnalyticsModule,
        AuditModule,
        SignInModule,
        CiModule,
        AccountsModule,
        SecondFactorModule,
        AccessModule,
        RegistryModule,
        StoresModule,
        CredentialsModule,
        TargetsModule,
        ArtifactsModule,
        ReconcileModule,
        ListingsModule,
        MailModule,
        NotificationsModule,
        PaymentsModule,
        BrandingModule,
        DeliveryModule,
        MembersModule,
        WebhooksModule,
        BatchesModule,
        CustomersModule,
        GiftsModule,
        BuyerModule,
        TrialsModule,
        BuyingModule,
        TenantDataModule,
        OverviewModule,
        BackupScheduleModule,
        DocumentsModule,
        ConsoleModule,
        InstanceModule,
      ],
    };
  }
}
