// What the shell shows around every page: menus, the own account, the command palette, pages that do not open.
import type { Screen, Stage } from '../stage.ts'
import { button, conversation, desk, dialog, fromUserMenu, openUserMenu } from '../steps.ts'

export const FRAME: readonly Screen[] = [
  {
    name: 'user-menu',
    steps: async stage => {
      await desk(stage)
      await openUserMenu(stage)
    },
  },
  {
    name: 'profile',
    steps: async stage => {
      await desk(stage)
      await fromUserMenu(stage, 'Meu perfil')
    },
  },
  {
    name: 'password',
    steps: async stage => {
      await desk(stage)
      await fromUserMenu(stage, 'Trocar senha')
    },
  },
  {
    name: 'devices',
    steps: async stage => {
      await desk(stage)
      await fromUserMenu(stage, 'Meus aparelhos')
    },
  },
  {
    name: 'palette',
    steps: async stage => {
      await conversation(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').waitFor()
    },
  },
  {
    name: 'palette-found',
    state: true,
    steps: async stage => {
      await desk(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('papelaria')
      await stage.page
        .getByRole('dialog')
        .getByRole('option', { name: /Papelaria Aurora/ })
        .first()
        .waitFor()
    },
  },
  {
    name: 'palette-nothing',
    state: true,
    steps: async stage => {
      await desk(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('xyzzy')
      await stage.page.getByText('Nada com “xyzzy”').waitFor()
    },
  },
  {
    name: 'help',
    steps: async stage => {
      await conversation(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('mostrar os atalhos')
      await stage.page.keyboard.press('Enter')
      await dialog(stage)
    },
  },
  {
    name: 'invoices',
    steps: async stage => {
      await desk(stage)
      await fromPalette(stage, 'Faturas')
      await dialog(stage)
    },
  },
  {
    name: 'menu-open',
    on: 'desk',
    steps: async stage => {
      await desk(stage)
      await stage.page.keyboard.press('Control+b')
      await stage.page.getByText('Administração', { exact: true }).first().waitFor()
    },
    after: stage => stage.page.keyboard.press('Control+b'),
  },
  {
    name: 'menu-more',
    // Begins on a page of its own: after some screens before it the bar was not there.
    fresh: true,
    on: 'phone',
    steps: async stage => {
      await desk(stage)
      await button(stage, 'Mais').click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'page-not-found',
    state: true,
    steps: async stage => {
      await stage.open('/nada')
      await stage.page.getByText('Esta página não existe').waitFor()
    },
  },
  {
    name: 'page-not-opened',
    state: true,
    fresh: true,
    steps: async stage => {
      await stage.page.route('**/mfe/mfe_automation/**', route => route.abort())
      await stage.open('/quickAnswers')
      await stage.page.getByRole('alert').filter({ hasText: 'não abriu' }).waitFor()
    },
  },
]

async function fromPalette(stage: Stage, label: string) {
  await stage.page.keyboard.press('Control+k')
  await stage.page.getByRole('combobox').fill(label)
  await stage.page.getByRole('option', { name: label }).first().click()
}
