import type { Page } from 'playwright-core';

/** The page of those who are not logged in, and the dialog that asks again. */
export class SignIn {
  constructor(private readonly page: Page) {}

  readonly heading = (name: string) => this.page.getByRole('heading', { level: 1, name });

  async createOwner(person: {
    readonly team: string;
    readonly email: string;
    readonly password: string;
  }): Promise<void> {
    await this.page.getByLabel('Name of your studio or team').fill(person.team);
    await this.page.getByLabel('E-mail').fill(person.email);
    await this.page.getByLabel('Password').fill(person.password);
    await this.page.getByRole('button', { name: 'Create account' }).click();
  }

  async logIn({
    email,
    password,
    code,
  }: {
    readonly email?: string;
    readonly password: string;
    readonly code?: string;
  }): Promise<void> {
    const form = this.page.getByRole('form', { name: 'Log in' });
    if (email !== undefined) await form.getByLabel('E-mail').fill(email);
    await form.getByLabel('Password').fill(password);
    if (code !== undefined) await form.getByLabel('Code').fill(code);
    await form.getByRole('button', { name: 'Log in' }).click();
  }
}
