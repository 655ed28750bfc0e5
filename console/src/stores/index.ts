export { CredentialForm, StoreSteps, type Provider } from './credential-form';
export { ItemForm } from './item-form';
export { CredentialHealth } from './credential-health';
