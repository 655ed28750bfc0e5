import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { fieldErrors, unknownFields } from '../common/http/index.js';
import { InvalidRequest, MAX_FAULTS } from '../common/problems/index.js';
import type { Issuer } from './issuers.js';

/**
 * Reads a tenant's secrets in the shape that its store or processor wants. Unknown members are refused, so that a secret never lands where it is not used.
 * @throws InvalidRequest naming each field as `credentials.<field>`, never its value
 */
export async function readSecrets({ credentialShape }: Issuer, given: object): Promise<object> {
  const unknown = unknownFields(given, credentialShape.type, 'credentials');
  if (unknown.length >= MAX_FAULTS) throw new InvalidRequest(unknown);
  const read = plainToInstance(credentialShape.type, given);
  const faults = await validate(read, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  if (faults.length > 0) throw new InvalidRequest(faults.flatMap((fault) => fieldErrors(fault, 'credentials')));
  return read;
}
