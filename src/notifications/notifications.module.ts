import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../common/http/index.js';
import { CredentialsModule } from '../credentials/index.js';
import { IdentityModule } from '../identity/index.js';
import { MailModule } from '../mail/index.js';
import { RegistryModule } from '../registry/index.js';
import { TargetsModule } from '../targets/index.js';
import { ConfirmationController } from './confirmation.controller.js';
import { ConfirmationsService } from './confirmations.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryEntity } from './delivery.entity.js';
import { EndpointEntity } from './endpoint.entity.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { EndpointsService } from './endpoints.service.js';
import { ExpiryWarningsService } from './expiry-warnings.service.js';
import { NotificationEntity } from './notification.entity.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';
import { WebhookSender } from './outgoing-webhooks/webhook-sender.js';
import { WebhookDeliveryWorker } from './webhook-delivery.worker.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([EndpointEntity, NotificationEntity, DeliveryEntity]),
    IdentityModule,
    RegistryModule,
    CredentialsModule,
    MailModule,
    TargetsModule,
  ],
  controllers: [ConfirmationController, EndpointsController, NotificationsController],
  providers: [
    EndpointsRepository,
    NotificationsRepository,
    DeliveriesRepository,
    ConfirmationsService,
    EndpointsService,
    NotificationsService,
    DeliveriesService,
    ExpiryWarningsService,
    WebhookSender,
    WebhookDeliveryWorker,
  ],
})
export class NotificationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(ConfirmationController);
  }
}
