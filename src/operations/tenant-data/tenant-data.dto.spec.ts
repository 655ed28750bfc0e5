import { expect, it } from 'vitest';
import { plainToInstance } from 'class-transformer';
import { RequestDeletion } from './tenant-data.dto.js';

it('a password keeps the spaces around it, as at log-in', () => {
  const input = plainToInstance(RequestDeletion, { password: ' a long password ', tenantName: ' Night Owl ' });
  expect(input).toEqual({ password: ' a long password ', tenantName: 'Night Owl' });
});
