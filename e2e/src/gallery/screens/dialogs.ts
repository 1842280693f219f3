// Dialogs and drawers of a conversation, and what opens over the desk.
import type { Screen, ScreenContext } from '../stage.ts'
import {
  LUCIA,
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
  {
    name: 'dialog-followers',
    steps: async stage => {
      await askIn(stage, 'gerente', stage.made.ticket[LUCIA] ?? 0)
      await openConversation(stage)
      await performAction(stage, 'Chamar para acompanhar')
      await (await waitForDialog(stage)).getByRole('option').first().waitFor()
    },
    after: endFollowing,
  },
  {
    name: 'desk-of-follower',
    as: 'user',
    fresh: true,
    steps: async stage => {
      const [ticket] = await stage.sql<{ id: number }[]>`
        select t.id from ticket t join "user" u on u.id = t.user_id
        where t.status = 'open' and not t.is_group and u.profile = 'admin' order by t.last_message_at desc limit 1`
      const ticketId = ticket?.id ?? 0
      await askIn(stage, 'user', ticketId)
      await stage.open(stage.phone ? '/tickets' : `/tickets/${ticketId}`)
      await stage.page.getByRole('tab', { name: /^Acompanhando/ }).waitFor()
      if (stage.phone) await stage.page.getByRole('tab', { name: /^Acompanhando/ }).click()
      else await stage.page.getByText('Você acompanha.').waitFor()
    },
    after: endFollowing,
  },
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
async function askIn({ sql, api }: ScreenContext, profile: 'gerente' | 'user', ticketId: number) {
  const [person] = await sql<
    { id: number }[]
  >`select id from "user" where profile = ${profile} and active order by id limit 1`
  await api('PUT', `/tickets/${ticketId}/followers/${person?.id}`)
}

async function endFollowing({ sql }: ScreenContext) {
  await sql`delete from ticket_follower`
}

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
