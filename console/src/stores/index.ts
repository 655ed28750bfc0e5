export { CredentialForm, StoreSteps, type Provider } from './credential-form';
export type { CredentialField } from './credential-values';
export { ItemForm } from './item-form';
export { CredentialHealth } from './credential-health';
