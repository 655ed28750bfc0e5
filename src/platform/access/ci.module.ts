import { Module } from '@nestjs/common';
import { AccessModule } from './access.module.js';
import { CiController } from './ci/ci.controller.js';
import { CiService } from './ci/ci.service.js';
import { CiTokenVerifier } from './ci-tokens/ci-token-verifier.js';
import { IssuerKeys } from './ci-tokens/issuer-keys.js';

/** The exchange of a token of a CI service for an access token. */
@Module({
  imports: [AccessModule],
  controllers: [CiController],
  providers: [CiService, CiTokenVerifier, IssuerKeys],
})
export class CiModule {}
