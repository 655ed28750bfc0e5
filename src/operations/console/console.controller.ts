import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/index.js';
import { OutsideApi } from '../../common/http/index.js';
import { ConsolePages } from './console-pages.js';

/** The console's page and files. What it shows comes from the API, by the user's session. */
@ApiExcludeController()
@OutsideApi()
@Controller()
export class ConsoleController {
  constructor(private readonly pages: ConsolePages) {}

  @ApiOperation({ summary: 'Opens the console.' })
  @Get('/')
  @Public('the same page for everybody; it contains no data')
  open(@Req() request: Request, @Res() response: Response): void {
    this.pages.sendPage(request, response);
  }

  @ApiOperation({ summary: 'Serves a script, a style sheet or a picture of the console.' })
  @Get('assets/:name')
  @Public('the same file for everybody; it contains no data')
  asset(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    this.pages.sendAsset(name, request, response);
  }
}
