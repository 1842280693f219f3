// Dialogs and drawers of a conversation, and what opens over the desk.
import type { Screen } from '../stage.ts'
import {
  locateButton,
  openContactDrawer,
  openConversation,
  openDeskTab,
  openMessageMenu,
  performAction,
  performMessageAction,
  waitForDialog,
} from '../steps.ts'

export const DIALOGS: readonly Screen[] = [
  {
    name: 'dialog-accept',
    steps: async stage => {
      await openConversation(stage, 'Padaria Estrela')
      await locateButton(stage, 'Aceitar').first().click()
      await waitForDialog(stage)
    },
  },
  makeActionScreen('dialog-transfer', 'Transferir'),
  makeActionScreen('dialog-pause', 'Pausar'),
  makeActionScreen('dialog-why', /Quem vê/),
  makeActionScreen('dialog-delete-ticket', /Apagar|Excluir/),
  {
    name: 'dialog-why-answer',
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, /Quem vê/)
      const box = await waitForDialog(stage)
      await box.locator('.p-dropdown').click()
      await stage.page.locator('.p-dropdown-item', { hasText: 'Bruna' }).click()
      await box.getByText(/Bruna Alves (não )?vê esta conversa/).waitFor()
    },
  },
  {
    name: 'dialog-delete-message',
    steps: async stage => {
      await openConversation(stage)
      await openMessageMenu(stage, true)
      await stage.page.getByRole('menuitem', { name: /Apagar|Excluir/ }).click()
      await waitForDialog(stage)
    },
  },
  { name: 'contact-drawer', steps: openContactDrawer },
]

/** What opens over the desk: bells, new conversations, what one does to a message, a send for later. */
export const OVER: readonly Screen[] = [
  makeBellScreen('bell-tickets', /^Quem espera/),
  makeBellScreen('bell-chats', /^Mensagens internas/),
  {
    name: 'dialog-new-conversation',
    steps: async stage => {
      await openDeskTab(stage)
      await locateButton(stage, 'Nova conversa').first().click()
      await waitForDialog(stage)
    },
  },
  makeMessageScreen('dialog-forward', 'Encaminhar'),
  makeMessageScreen('dialog-information', 'Informações'),
  {
    name: 'dialog-schedule',
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, /Agendar mensagem/)
      await stage.page.getByRole('heading', { name: 'Agendar mensagem' }).waitFor()
      await stage.page.getByLabel('Quando *').waitFor()
    },
  },
  {
    name: 'drawer-participants',
    steps: async stage => {
      await openConversation(stage, 'Entregas zona norte')
      await performAction(stage, /Participantes/)
      await stage.page
        .getByRole('heading', { name: /Participantes/ })
        .first()
        .waitFor()
    },
  },
]

/** A dialog behind an action on the ticket. */
function makeActionScreen(name: string, label: string | RegExp): Screen {
  return {
    name,
    steps: async stage => {
      await openConversation(stage)
      await performAction(stage, label)
      await waitForDialog(stage)
    },
  }
}

/** A dialog behind an entry of a message's menu. */
function makeMessageScreen(name: string, label: string): Screen {
  return {
    name,
    steps: async stage => {
      await openConversation(stage)
      await performMessageAction(stage, label)
      await waitForDialog(stage)
    },
  }
}

function makeBellScreen(name: string, label: RegExp): Screen {
  return {
    name,
    steps: async stage => {
      await openDeskTab(stage)
      await locateButton(stage, label).first().click()
      await stage.page.locator('.s-bell').waitFor()
    },
  }
}
