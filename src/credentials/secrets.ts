import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { fieldErrors } from '../common/http/index.js';
import { InvalidRequest } from '../common/problems/index.js';
import type { Issuer } from './issuers.js';

/**
 * Reads a tenant's secrets in the shape that its store or processor wants. Unknown members are refused, so that a secret never lands where it is not used.
 * @throws InvalidRequest naming each field as `credentials.<field>`, never its value
 */
export async function readSecrets({ credentialShape }: Issuer, given: object): Promise<object> {
  const read = plainToInstance(credentialShape.type, given);
  const faults = await validate(read, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  if (faults.length > 0) throw new InvalidRequest(faults.flatMap((fault) => fieldErrors(fault, 'credentials')));
  return read;
}
