export { CredentialForm, StoreSteps } from './credential-form';
export { ItemForm } from './item-form';
