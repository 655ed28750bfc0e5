import { Controller, Get, Header, Param, Redirect, Res, type StreamableFile } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../common/access/index.js';
import { OutsideApi } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ClientPackageList } from './client-packages.dto.js';
import { ClientPackageNotFound } from './client-packages.problems.js';
import { ClientPackages } from './client-packages.service.js';

const FILE = { type: 'string', format: 'binary' } as const;

/** The command line, the client for extensions and the action, for package managers. */
@ApiTags('clients')
@OutsideApi()
@Controller()
export class ClientPackagesController {
  constructor(private readonly clients: ClientPackages) {}

  @ApiOperation({ summary: 'Lists the command line, the client for extensions and the action, as packages for npm.' })
  @Get('clients')
  @Public('the same for everybody; it contains no data')
  @ApiOkResponse({ type: ClientPackageList })
  list(): Promise<ClientPackageList> {
    return this.clients.list();
  }

  @ApiOperation({ summary: 'Serves a version of a client as npm packs it. The content of an address never changes.' })
  @Get('clients/:file')
  @Public('the same file for everybody; it contains no data')
  @Throws(ClientPackageNotFound)
  @ApiParam({
    name: 'file',
    description: 'Name and version, as in the list.',
    schema: { type: 'string', example: 'pierhead-1.0.0.tgz' },
  })
  @ApiProduces('application/gzip')
  @ApiOkResponse({ schema: FILE })
  async show(@Param('file') file: string, @Res({ passthrough: true }) response: Response): Promise<StreamableFile> {
    return forEver(response, await this.clients.open(file));
  }

  /** For what named this address before each version had its own, such as workflows: they follow the version of the service. */
  @ApiExcludeEndpoint()
  @ApiOperation({ summary: 'Redirects to the command line of the version of the service.' })
  @Get('cli/pierhead.tgz')
  @Redirect()
  @Header('Cache-Control', 'no-cache')
  @Public('the same for everybody; it contains no data')
  @Throws(ClientPackageNotFound)
  showCli(): Promise<{ readonly url: string }> {
    return this.clients.currentCli();
  }
}

/** Lets caches keep an answer, but not a problem at the same address, which may pass. */
function forEver(response: Response, content: StreamableFile): StreamableFile {
  response.set('Cache-Control', 'public, max-age=31536000, immutable');
  return content;
}
