import type { INestApplicationContext } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { OperatorModule, OperatorService } from '../../src/operations/admin/operator/index.js';

/** What the operator's commands call, on a running service, which itself does without. */
export async function operatorOf(app: INestApplicationContext): Promise<OperatorService> {
  const module = await app.get(LazyModuleLoader).load(() => OperatorModule);
  return module.get(OperatorService);
}

export type { OperatorService };
