import { readFileSync } from 'node:fs';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import { Public } from '../../common/access/index.js';
import { OutsideApi } from '../../common/http/index.js';

const SCHEMA = readFileSync(new URL('../../../clients/cli/schema/pierhead.schema.json', import.meta.url), 'utf8');

/** The JSON Schema of `pierhead.json`, which editors fetch from the service that the file names. */
@ApiExcludeController()
@OutsideApi()
@Controller('schemas/pierhead.json')
export class ProjectSchemaController {
  @ApiOperation({ summary: 'Shows what pierhead.json may contain.' })
  @Get()
  @Public('the answer is the same for everyone')
  @Header('content-type', 'application/schema+json; charset=utf-8')
  @Header('cache-control', 'public, max-age=3600')
  show(): string {
    return SCHEMA;
  }
}
