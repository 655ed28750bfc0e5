import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ClientPackage } from './client-package.js';
import { Public } from '../../common/access/index.js';
import { OutsideApi } from '../../common/http/index.js';

/** The command line client of this version, for `npm install -g` and `npx`. */
@ApiExcludeController()
@OutsideApi()
@Controller('cli/pierhead.tgz')
export class ClientPackageController {
  constructor(private readonly client: ClientPackage) {}

  @ApiOperation({ summary: 'Serves the command line client as npm packs it.' })
  @Get()
  @Public('the same file for everybody; it contains no data')
  show(@Req() request: Request, @Res() response: Response): void {
    this.client.send(request, response);
  }
}
