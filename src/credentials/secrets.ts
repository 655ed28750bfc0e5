import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { fieldErrors, unknownFields } from '../common/http/index.js';
import { InvalidRequest, MAX_FAULTS } from '../common/problems/index.js';
import type { CredentialProvider } from './credential-providers.js';

/**
 * Validates secrets in the shape that their store or processor expects. Unknown members are refused, since nothing would use them.
 * @throws InvalidRequest naming each field as `credentials.<field>`, never its value
 */
export async function readSecrets({ credentialShape }: CredentialProvider, given: object): Promise<object> {
  const unknown = unknownFields(given, credentialShape.type, 'credentials');
  if (unknown.length >= MAX_FAULTS) throw new InvalidRequest(unknown);
  const read = plainToInstance(credentialShape.type, given);
  const faults = await validate(read, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  if (faults.length > 0) throw new InvalidRequest(faults.flatMap((fault) => fieldErrors(fault, 'credentials')));
  return read;
}
