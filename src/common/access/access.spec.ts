import { describe, expect, it } from 'vitest';
import { Controller, Get, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Signature } from './access.js';

describe('a route for signed requests', () => {
  class HeaderGuard implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = context.switchToHttp().getRequest<{ readonly headers: Readonly<Record<string, string>> }>();
      return request.headers['signature'] === 'good';
    }
  }

  @Controller()
  class Signed {
    @Get()
    @Signature(HeaderGuard)
    receive(): string {
      return 'received';
    }
  }

  it('admits only what the guard of its decorator admits', async () => {
    const module = await Test.createTestingModule({ controllers: [Signed] }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const statusOf = async (headers: Record<string, string>): Promise<number> => (await fetch(url, { headers })).status;
    expect(await statusOf({ signature: 'good' })).toBe(200);
    expect(await statusOf({ signature: 'bad' })).toBe(403);
    expect(await statusOf({})).toBe(403);
    await app.close();
  });

  it('cannot be declared without a guard', () => {
    expect(() => Signature(undefined as never)({}, 'open', { value: () => 'open' })).toThrow(/guard/i);
  });
});
