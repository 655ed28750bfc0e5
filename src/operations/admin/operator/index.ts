/** Users and tenants for the operator's commands. */
export { OperatorModule } from './operator.module.js';
export { NotFoundForOperator, OperatorService, RefusedToOperator } from './operator.service.js';
