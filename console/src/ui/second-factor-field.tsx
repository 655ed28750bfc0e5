import type { ReactElement } from 'react';
import { Field } from './field';

interface SecondFactorFieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fault?: string | undefined;
}

/** Asks for a code of the second factor: six digits, or a recovery code, which has letters. */
export const SecondFactorField = (props: SecondFactorFieldProps): ReactElement => (
  <Field label="Code" hint="Of your authenticator app, or a recovery code." autoComplete="one-time-code" {...props} />
);
