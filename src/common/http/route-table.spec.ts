import { describe, expect, it } from 'vitest';
import { Controller, Get, Post, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Bearer, Public } from '../access/index.js';
import { RouteTable } from './route-table.js';

describe('an application', () => {
  @Controller('guarded')
  class Guarded {
    @Get()
    @Public('a test')
    open(): void {}

    @Post(':id/parts/:partId')
    @Bearer('extensions:write', 'tenant')
    closed(): void {}

    /** No route. */
    helper(): void {}
  }

  @Controller('forgotten')
  class Forgotten extends Guarded {
    @Get('open')
    forgotten(): void {}
  }

  const boot = async (controller: Type): Promise<RouteTable> => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [controller],
      providers: [RouteTable],
    }).compile();
    const table = module.get(RouteTable);
    table.read();
    return table;
  };

  it('does not start with a route that has no access rule', async () => {
    await expect(boot(Forgotten)).rejects.toThrow(
      'Forgotten_forgotten has no access rule: add @Bearer, @Session, @Public or @Signature',
    );
  });

  it('starts when all routes have an access rule, and knows the routes', async () => {
    const table = await boot(Guarded);
    expect(table.routes.map(({ method, path, access }) => [method, path, access.kind])).toEqual([
      ['GET', '/api/v1/guarded', 'public'],
      ['POST', '/api/v1/guarded/{id}/parts/{partId}', 'bearer'],
    ]);
    expect(table.at('/api/v1/guarded/1/parts/2/').map(({ operationId }) => operationId)).toEqual(['Guarded_closed']);
    expect(table.at('/API/v1/Guarded/').map(({ operationId }) => operationId)).toEqual(['Guarded_open']);
    for (const path of ['/api/v1/guarded/1/parts', '/api/v1/guarded//parts/2', '/api/v1//guarded', '/', ''])
      expect(table.at(path)).toEqual([]);
  });
});
