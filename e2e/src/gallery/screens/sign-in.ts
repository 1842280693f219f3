// Signing in, signing up and the password that must be changed.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, mockAnswer, waitForDialog } from '../steps.ts'

export const SIGN_IN: readonly Screen[] = [
  { name: 'sign-in', as: 'nobody', steps: signInPage },
  {
    name: 'sign-in-missing',
    state: true,
    as: 'nobody',
    steps: async stage => {
      await signInPage(stage)
      await locateButton(stage, 'Entrar').click()
      await stage.page.getByText('Preencha o e-mail e a senha.').waitFor()
    },
  },
  {
    name: 'sign-in-refused',
    state: true,
    as: 'nobody',
    steps: async stage => {
      await signInPage(stage)
      await stage.page.getByLabel('E-mail').fill('alguem@saojose.example')
      await stage.page.getByLabel('Senha', { exact: true }).fill('não é essa')
      await locateButton(stage, 'Entrar').click()
      await stage.page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'sign-in-blocked',
    as: 'nobody',
    steps: async stage => {
      await mockAnswer(stage, '**/system', body => ({
        ...body,
        blocked: true,
        supportUrl: 'https://wa.me/553132224010',
        financeUrl: 'https://wa.me/553132224011',
      }))
      await signInPage(stage)
      await stage.page.getByText('SISTEMA BLOQUEADO').waitFor()
    },
  },
  {
    name: 'sign-up',
    as: 'nobody',
    steps: async stage => {
      await stage.api('PUT', '/settings/userCreation', { value: 'enabled' })
      await signInPage(stage)
      await locateButton(stage, 'Criar uma conta').click()
      await waitForDialog(stage)
    },
    after: stage => stage.api('PUT', '/settings/userCreation', { value: 'disabled' }),
  },
  {
    name: 'password-forced',
    as: 'nobody',
    steps: async stage => {
      const [user] = await stage.sql<{ id: number }[]>`select id from "user" where name like 'Bruna%'`
      const { password } = (await stage.api('POST', `/users/reset/${user?.id}`)) as { password: string }
      await signInPage(stage)
      await stage.page.getByLabel('E-mail').fill('bruna@saojose.example')
      await stage.page.getByLabel('Senha', { exact: true }).fill(password)
      await locateButton(stage, 'Entrar').click()
      await stage.page.getByRole('heading', { name: /escolha sua senha/ }).waitFor()
    },
    after: stage => stage.made.letInAgain('Bruna'),
  },
]

async function signInPage({ page, world }: ScreenContext) {
  await page.goto(`${world.url}/login`)
  await page.getByLabel('E-mail').waitFor()
}
