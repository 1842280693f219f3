// What the shell shows around every page: menus, the own account, the command palette, pages that do not open.
import type { Screen, ScreenContext } from '../stage.ts'
import { locateButton, openConversation, openDeskTab, openFromUserMenu, openUserMenu, waitForDialog } from '../steps.ts'

export const FRAME: readonly Screen[] = [
  {
    name: 'user-menu',
    steps: async stage => {
      await openDeskTab(stage)
      await openUserMenu(stage)
    },
  },
  {
    name: 'profile',
    steps: async stage => {
      await openDeskTab(stage)
      await openFromUserMenu(stage, 'Meu perfil')
    },
  },
  {
    name: 'password',
    steps: async stage => {
      await openDeskTab(stage)
      await openFromUserMenu(stage, 'Trocar senha')
    },
  },
  {
    name: 'devices',
    steps: async stage => {
      await openDeskTab(stage)
      await openFromUserMenu(stage, 'Meus aparelhos')
    },
  },
  {
    name: 'palette',
    steps: async stage => {
      await openConversation(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').waitFor()
    },
  },
  {
    name: 'palette-found',
    state: true,
    steps: async stage => {
      await openDeskTab(stage)
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
      await openDeskTab(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('xyzzy')
      await stage.page.getByText('Nada com “xyzzy”').waitFor()
    },
  },
  {
    name: 'help',
    steps: async stage => {
      await openConversation(stage)
      await stage.page.keyboard.press('Control+k')
      await stage.page.getByRole('combobox').fill('mostrar os atalhos')
      await stage.page.keyboard.press('Enter')
      await waitForDialog(stage)
    },
  },
  {
    name: 'invoices',
    steps: async stage => {
      await openDeskTab(stage)
      await runFromPalette(stage, 'Faturas')
      await waitForDialog(stage)
    },
  },
  {
    name: 'menu-open',
    on: 'desk',
    steps: async stage => {
      await openDeskTab(stage)
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
      await openDeskTab(stage)
      await locateButton(stage, 'Mais').click()
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

async function runFromPalette(stage: ScreenContext, label: string) {
  await stage.page.keyboard.press('Control+k')
  await stage.page.getByRole('combobox').fill(label)
  await stage.page.getByRole('option', { name: label }).first().click()
}
