import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../common/http/index.js';
import { CredentialsModule } from '../credentials/index.js';
import { LicensingModule } from '../licensing/index.js';
import { AccessModule } from '../platform/access/index.js';
import { AccountsModule } from '../platform/accounts/index.js';
import { MailModule } from '../platform/mail/index.js';
import { RegistryModule } from '../registry/index.js';
import { TargetsModule } from '../targets/index.js';
import { ApprovalMailsService } from './approval-mails.service.js';
import { ConfirmationController } from './endpoints/confirmation.controller.js';
import { ConfirmationsService } from './endpoints/confirmations.service.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryAttemptEntity } from './deliveries/delivery-attempt.entity.js';
import { DeliveryAttemptsRepository } from './deliveries/delivery-attempts.repository.js';
import { DeliveryAttemptsService } from './deliveries/delivery-attempts.service.js';
import { DeliveryEntity } from './deliveries/delivery.entity.js';
import { EndpointRulesService } from './endpoints/endpoint-rules.service.js';
import { EndpointEntity } from './endpoint.entity.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { ExpiryWarningsService } from './expiry/expiry-warnings.service.js';
import { LicenseNotificationsRepository, LicenseNotificationsService } from './licenses/index.js';
import { NotificationEntity } from './notification.entity.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';
import { UnsubscribeController } from './endpoints/unsubscribe.controller.js';
import { UnsubscriptionsService } from './endpoints/unsubscriptions.service.js';
import { WebhookSecrets } from './outgoing-webhooks/webhook-secrets.js';
import { WebhookSender } from './outgoing-webhooks/webhook-sender.js';
import { WebhookDeliveryWorker } from './deliveries/webhook-delivery.worker.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([EndpointEntity, NotificationEntity, DeliveryEntity, DeliveryAttemptEntity]),
    AccessModule,
    AccountsModule,
    RegistryModule,
    CredentialsModule,
    LicensingModule,
    MailModule,
    TargetsModule,
  ],
  controllers: [ConfirmationController, UnsubscribeController, EndpointsController, NotificationsController],
  providers: [
    EndpointsRepository,
    NotificationsRepository,
    DeliveriesRepository,
    DeliveryAttemptsRepository,
    DeliveryAttemptsService,
    ApprovalMailsService,
    ConfirmationsService,
    UnsubscriptionsService,
    EndpointRulesService,
    EndpointsService,
    NotificationsService,
    DeliveriesService,
    LicenseNotificationsRepository,
    LicenseNotificationsService,
    ExpiryWarningsService,
    WebhookSecrets,
    WebhookSender,
    WebhookDeliveryWorker,
  ],
  exports: [NotificationsService],
})
export class NotificationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(ConfirmationController, UnsubscribeController);
  }
}
