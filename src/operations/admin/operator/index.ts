/** What the operator's commands do with users and tenants. */
export { OperatorModule } from './operator.module.js';
export { NotFoundForOperator, OperatorService, RefusedToOperator } from './operator.service.js';
