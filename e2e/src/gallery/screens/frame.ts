// What the shell shows around every page: menus, the own account, the command palette, pages that do not open.
import type { Screen, ScreenContext } from '../stage.ts'
import { openConversation, openDeskTab, openFromUserMenu, openUserMenu, showPage, waitForDialog } from '../steps.ts'

export const FRAME: readonly Screen[] = [
  {
    name: 'user-menu',
    steps: async stage => {
      await openDeskTab(stage)
      await openUserMenu(stage)
    },
  },
  makeUserMenuScreen('profile', 'Meu perfil'),
  makeUserMenuScreen('password', 'Trocar senha'),
  makeUserMenuScreen('devices', 'Meus aparelhos'),
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
      await searchPalette(stage, 'papelaria')
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
      await searchPalette(stage, 'xyzzy')
      await stage.page.getByText('Nada com “xyzzy”').waitFor()
    },
  },
  {
    name: 'help',
    steps: async stage => {
      await openConversation(stage)
      await searchPalette(stage, 'mostrar os atalhos')
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
    on: 'phone',
    steps: async stage => {
      await openDeskTab(stage)
      // What is wrong among the pages behind it is said before its name.
      await stage.page.getByRole('button', { name: /Mais$/ }).click()
      await stage.page.getByRole('menu').waitFor()
    },
  },
  { name: 'page-not-found', state: true, steps: showPage('/nada', 'Esta página não existe') },
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
  await searchPalette(stage, label)
  await stage.page.getByRole('option', { name: label }).first().click()
}

async function searchPalette({ page }: ScreenContext, words: string) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(words)
}

/** A dialog behind an entry of the own menu. */
function makeUserMenuScreen(name: string, label: string): Screen {
  return {
    name,
    steps: async stage => {
      await openDeskTab(stage)
      await openFromUserMenu(stage, label)
    },
  }
}
