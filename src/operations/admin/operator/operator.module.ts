import { Module } from '@nestjs/common';
import { AccountsModule } from '../../../platform/accounts/index.js';
import { SecondFactorModule, SignInModule } from '../../../platform/sign-in/index.js';
import { OperatorRepository } from './operator.repository.js';
import { OperatorService } from './operator.service.js';

/** Users and tenants for the operator. */
@Module({
  imports: [AccountsModule, SignInModule, SecondFactorModule],
  providers: [OperatorService, OperatorRepository],
  exports: [OperatorService],
})
export class OperatorModule {}
