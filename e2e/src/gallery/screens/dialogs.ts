// Dialogs and drawers of a conversation, and what opens over the desk.
import type { Screen } from '../stage.ts'
import {
  button,
  contactDrawer,
  conversation,
  desk,
  dialog,
  fromActions,
  fromMessageMenu,
  messageMenu,
} from '../steps.ts'

export const DIALOGS: readonly Screen[] = [
  {
    name: 'dialog-accept',
    steps: async stage => {
      await conversation(stage, 'Padaria Estrela')
      await button(stage, 'Aceitar').first().click()
      await dialog(stage)
    },
  },
  action('dialog-transfer', 'Transferir'),
  action('dialog-pause', 'Pausar'),
  action('dialog-why', /Quem vê/),
  action('dialog-delete-ticket', /Apagar|Excluir/),
  {
    name: 'dialog-why-answer',
    steps: async stage => {
      await conversation(stage)
      await fromActions(stage, /Quem vê/)
      const box = await dialog(stage)
      await box.locator('.p-dropdown').click()
      await stage.page.locator('.p-dropdown-item', { hasText: 'Bruna' }).click()
      await box.getByText(/Bruna Alves (não )?vê esta conversa/).waitFor()
    },
  },
  {
    name: 'dialog-delete-message',
    steps: async stage => {
      await conversation(stage)
      await messageMenu(stage, true)
      await stage.page.getByRole('menuitem', { name: /Apagar|Excluir/ }).click()
      await dialog(stage)
    },
  },
  { name: 'contact-drawer', steps: contactDrawer },
]

/** What opens over the desk: bells, new conversations, what one does to a message, a send for later. */
export const OVER: readonly Screen[] = [
  bell('bell-tickets', /^Quem espera/),
  bell('bell-chats', /^Mensagens internas/),
  {
    name: 'dialog-new-conversation',
    steps: async stage => {
      await desk(stage)
      await button(stage, 'Nova conversa').first().click()
      await dialog(stage)
    },
  },
  messageDialog('dialog-forward', 'Encaminhar'),
  messageDialog('dialog-information', 'Informações'),
  action('dialog-schedule', /Agendar mensagem/),
  {
    name: 'drawer-participants',
    steps: async stage => {
      await conversation(stage, 'Entregas zona norte')
      await fromActions(stage, /Participantes/)
      await stage.page
        .getByRole('heading', { name: /Participantes/ })
        .first()
        .waitFor()
    },
  },
]

/** A dialog behind an action on the ticket. */
function action(name: string, label: string | RegExp): Screen {
  return {
    name,
    steps: async stage => {
      await conversation(stage)
      await fromActions(stage, label)
      await dialog(stage)
    },
  }
}

/** A dialog behind an entry of a message's menu. */
function messageDialog(name: string, label: string): Screen {
  return {
    name,
    steps: async stage => {
      await conversation(stage)
      await fromMessageMenu(stage, label)
      await dialog(stage)
    },
  }
}

function bell(name: string, label: RegExp): Screen {
  return {
    name,
    steps: async stage => {
      await desk(stage)
      await button(stage, label).first().click()
      await stage.page.locator('.s-bell').waitFor()
    },
  }
}
