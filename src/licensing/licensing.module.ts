import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/index.js';
import { RegistryModule } from '../registry/index.js';
import { CodeDigests } from './codes/code-digests.js';
import { LeaseKeyEntity } from './leases/lease-key.entity.js';
import { LeaseKeysController } from './leases/lease-keys.controller.js';
import { LeaseKeys } from './leases/lease-keys.service.js';
import { HeldLicenses } from './licenses/held-licenses.service.js';
import { LicenseBook } from './licenses/license-book.js';
import { LicenseEntity } from './licenses/license.entity.js';
import { LicensesController } from './licenses/licenses.controller.js';
import { LicensesService } from './licenses/licenses.service.js';
import { PlanEntity, PlanProductEntity } from './plans/plan.entity.js';
import { PlansController } from './plans/plans.controller.js';
import { PlansService } from './plans/plans.service.js';
import { CodeLimits } from './seats/code-limits.js';
import { SeatClaimBatch } from './seats/seat-claim-batch.js';
import { KnownExtensions } from './seats/known-extensions.js';
import { LicensingController } from './seats/licensing.controller.js';
import { SeatEntity } from './seats/seat.entity.js';
import { SeatCheckBatch } from './seats/seat-check-batch.js';
import { SeatsRepository } from './seats/seats.repository.js';
import { SeatsService } from './seats/seats.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([PlanEntity, PlanProductEntity, LicenseEntity, SeatEntity, LeaseKeyEntity]),
    IdentityModule,
    RegistryModule,
  ],
  controllers: [PlansController, LicensesController, LicensingController, LeaseKeysController],
  providers: [
    PlansService,
    LicensesService,
    LicenseBook,
    HeldLicenses,
    SeatsService,
    SeatsRepository,
    SeatClaimBatch,
    SeatCheckBatch,
    KnownExtensions,
    CodeLimits,
    CodeDigests,
    LeaseKeys,
  ],
  exports: [PlansService, LicensesService, LicenseBook, HeldLicenses],
})
export class LicensingModule {}
