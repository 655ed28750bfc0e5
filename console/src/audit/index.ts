export { auditColumns, entryWords } from './audit-columns';
export { History } from './history';
