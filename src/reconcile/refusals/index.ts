/** Refusals of packages in which no rule had found a fault, for operators. */
export { PackageRefusalEntity } from './package-refusal.entity.js';
export { PackageRefusalsController } from './package-refusals.controller.js';
export { PackageRefusalsRepository } from './package-refusals.repository.js';
export { PackageRefusalsService } from './package-refusals.service.js';
