import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../common/http/index.js';
import { CredentialsModule } from '../credentials/index.js';
import { IdentityModule } from '../identity/index.js';
import { MailModule } from '../mail/index.js';
import { RegistryModule } from '../registry/index.js';
import { TargetsModule } from '../targets/index.js';
import { ConfirmationController } from './confirmation.controller.js';
import { Confirmations } from './confirmations.service.js';
import { Courier } from './courier.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryEntity } from './delivery.entity.js';
import { EndpointEntity } from './endpoint.entity.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsService } from './endpoints.service.js';
import { ExpiryWatch } from './expiry-watch.service.js';
import { NotificationEntity } from './notification.entity.js';
import { NotificationsController } from './notifications.controller.js';
import { Notifier } from './notifier.service.js';
import { WebhookCaller } from './webhooks/webhook-caller.js';

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
  providers: [Confirmations, Courier, DeliveriesService, EndpointsService, ExpiryWatch, Notifier, WebhookCaller],
})
export class NotificationsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(ConfirmationController);
  }
}
