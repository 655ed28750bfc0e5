import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import { Public } from './common/access/index.js';
import { markup, OutsideApi, page } from './common/http/index.js';

const HOME = page(
  'Pierhead',
  markup`<p>Pierhead publishes browser extensions to every store and sells them by license code.</p>
    <ul>
      <li><a href="api/docs">API reference</a></li>
      <li><a href="api/docs/problems">Problems, their causes and remedies</a></li>
      <li><a href="buyer">My licenses</a>, for buyers</li>
    </ul>`,
);

/** The start page. */
@ApiExcludeController()
@OutsideApi()
@Controller()
export class HomeController {
  @ApiOperation({ summary: 'Shows the start page.' })
  @Get('/')
  @Public('shows static links only')
  @Header('content-type', 'text/html; charset=utf-8')
  show(): string {
    return HOME;
  }
}
