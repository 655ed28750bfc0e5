import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { Customer, FindCustomer } from './customers.dto.js';
import { CustomersService } from './customers.service.js';

/** The buyers of a tenant. */
@ApiTags('licenses')
@Controller('customers')
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @ApiOperation({
    summary: 'Finds the devices of a buyer, and the mails about their licenses with their delivery.',
    description:
      'Changes nothing. It is a POST because the address must not appear in a URL. Licenses and orders of the buyer are listed by `GET /licenses?email=` and `GET /orders?buyer=`.',
  })
  @Post('find')
  @HttpCode(200)
  @Bearer('licenses:read', 'tenant')
  @ApiOkResponse({ type: Customer })
  find(@CurrentCaller() caller: Caller, @Body() { email }: FindCustomer): Promise<Customer> {
    return this.customers.find(caller.tenantId, email);
  }
}
