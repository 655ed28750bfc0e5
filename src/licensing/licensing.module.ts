import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../platform/accounts/index.js';
import { RegistryModule } from '../registry/index.js';
import { CodesService } from './codes/codes.service.js';
import { DeviceCodeEntity } from './licenses/device-code.entity.js';
import { DeviceCodesRepository } from './licenses/device-codes.repository.js';
import { FormerCodeEntity } from './licenses/former-code.entity.js';
import { ImportLinesService } from './bulk/import-lines.service.js';
import { LicenseBulkService } from './bulk/license-bulk.service.js';
import { LicenseDeskController } from './bulk/license-desk.controller.js';
import { LicenseExportService } from './bulk/license-export.service.js';
import {
  ImportFactsService,
  ImportPagesService,
  ImportResultsService,
  ImportRunnerService,
  ImportsController,
  ImportsRepository,
  ImportsService,
  ImportWorker,
  LicenseImportEntity,
  LicenseImportPageEntity,
} from './imports/index.js';
import { LeaseKeyEntity } from './leases/lease-key.entity.js';
import { LeaseKeysController } from './leases/lease-keys.controller.js';
import { LeaseKeysRepository } from './leases/lease-keys.repository.js';
import { LeaseKeysService } from './leases/lease-keys.service.js';
import { LicenseEventsService } from './events/index.js';
import { LicenseExpiryService } from './licenses/license-expiry.service.js';
import { LicenseLifecycleService } from './licenses/license-lifecycle.service.js';
import { LicensesRepository } from './licenses/licenses.repository.js';
import { ListedLicensesRepository } from './licenses/listed-licenses.repository.js';
import { LicenseEntity } from './licenses/license.entity.js';
import { LicenseMemberEntity } from './licenses/license-member.entity.js';
import { LicensesController } from './licenses/licenses.controller.js';
import { LicensesService } from './licenses/licenses.service.js';
import { LicensePlanEntity, LicensePlanProductEntity } from './plans/license-plan.entity.js';
import { LicensePlansRepository } from './plans/license-plans.repository.js';
import { PlansController } from './plans/plans.controller.js';
import { LicensePlansService } from './plans/license-plans.service.js';
import { CodeLimitsService } from './seats/code-limits.service.js';
import { SeatReportsService } from './seats/seat-reports.service.js';
import { ExtensionCache } from './plans/extension-cache.js';
import { LicensingController } from './seats/licensing.controller.js';
import { LicenseDevicesController } from './seats/license-devices.controller.js';
import { LicenseDevicesService } from './seats/license-devices.service.js';
import { SeatEntity } from './seats/seat.entity.js';
import { SeatCheckBatch } from './seats/seat-check-batch.js';
import { SeatsRepository } from './seats/seats.repository.js';
import { SeatsService } from './seats/seats.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      LicensePlanEntity,
      LicensePlanProductEntity,
      LicenseEntity,
      FormerCodeEntity,
      LicenseMemberEntity,
      DeviceCodeEntity,
      SeatEntity,
      LeaseKeyEntity,
      LicenseImportEntity,
      LicenseImportPageEntity,
    ]),
    AccountsModule,
    RegistryModule,
  ],
  // LicenseDeskController precedes LicensesController, whose GET /licenses/:id would otherwise match GET /licenses/export.
  controllers: [
    PlansController,
    LicenseDeskController,
    ImportsController,
    LicensesController,
    LicenseDevicesController,
    LicensingController,
    LeaseKeysController,
  ],
  providers: [
    LicensePlansService,
    LicensesService,
    LicenseExportService,
    ImportLinesService,
    ImportsService,
    ImportsRepository,
    ImportPagesService,
    ImportFactsService,
    ImportRunnerService,
    ImportResultsService,
    ImportWorker,
    LicenseBulkService,
    LicensesRepository,
    ListedLicensesRepository,
    DeviceCodesRepository,
    LicenseLifecycleService,
    LicenseEventsService,
    LicenseExpiryService,
    SeatsService,
    LicenseDevicesService,
    SeatReportsService,
    SeatsRepository,
    SeatCheckBatch,
    ExtensionCache,
    CodeLimitsService,
    CodesService,
    LeaseKeysService,
    LeaseKeysRepository,
    LicensePlansRepository,
  ],
  exports: [
    CodesService,
    LicensePlansService,
    LicensePlansRepository,
    LicensesService,
    LicensesRepository,
    DeviceCodesRepository,
    LicenseLifecycleService,
    LicenseEventsService,
    LicenseExpiryService,
    LicenseDevicesService,
    SeatsRepository,
    LeaseKeysService,
  ],
})
export class LicensingModule {}
