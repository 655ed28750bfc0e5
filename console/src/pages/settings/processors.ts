import type { CredentialField, Provider } from '../../stores';
import { PROCESSORS } from '../../ui';

/** What every payment processor wants; stores say it themselves in `GET /stores`. */
const FIELDS: readonly CredentialField[] = [
  {
    name: 'webhookSecret',
    title: 'Signing secret',
    isSecret: true,
    isRequired: true,
    how: 'The processor shows it when you add the address above as a webhook.',
  },
  {
    name: 'apiKey',
    title: 'API key',
    isSecret: true,
    isRequired: false,
    how: 'A restricted key that reads. Without one, some events wait for an address of the buyer.',
  },
];

/** The payment processors, as the form of a credential wants them. */
export const PROCESSOR_PROVIDERS: readonly Provider[] = (
  Object.entries(PROCESSORS) as readonly (readonly [keyof typeof PROCESSORS, string])[]
).map(([id, title]) => ({ id, title, forms: [FIELDS], lapsesAfterDays: null }));
