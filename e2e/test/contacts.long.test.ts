// The book of contacts as people use it (spec 3 §2, decisions-2 §22): found, changed, made one and taken apart, deleted where it may be.
import { describe, expect, test } from 'bun:test'
import type { Contact } from '@balcao/contract'
import { findAccessibilityIssues, visit } from '../src/desk.ts'
import { openTestSystem } from '../src/open-test-system.ts'
import { signInAdministrator, waitUntil } from '../src/steps.ts'

const { world, page, sql } = await openTestSystem()
const api = await signInAdministrator(world)

const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const panel = () => page.getByRole('complementary', { name: 'Contato', exact: true })

async function createContact(name: string, number: string): Promise<Contact> {
  return (await api('POST', '/contacts', { name, number })) as unknown as Contact
}

async function open(search?: string) {
  await visit(page, '/contacts')
  await page.getByRole('heading', { name: 'Contatos' }).waitFor()
  if (search) await page.getByRole('searchbox').fill(search)
}

describe('§24: a number', () => {
  test('is typed as people write it; without its area code it is refused at its field, in words', async () => {
    await open()
    await page.getByRole('button', { name: 'Adicionar contato' }).click()
    const form = page.getByRole('dialog', { name: 'Novo contato' })
    await form.getByLabel('Nome *').fill('Wanda Prado')
    await form.getByLabel('Número *').fill('99773-0085')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.getByText('Falta o DDD', { exact: true }).waitFor()
    await form.getByLabel('Número *').fill('(031) 99773-0085')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('+55 31 99773-0085').first().waitFor()
  })
})

describe('spec 3 §2: the page of contacts', () => {
  test('finds by two words in any order, by an accent less, and by a number as people write it', async () => {
    await createContact('Zuleica São João', '5531987650001')
    await createContact('Zuleica Wolff', '5531987650002')
    await open()
    for (const [text, isFirst] of [
      ['joao zuleica', true],
      ['(031) 98765-0001', true],
      ['WOLFF', false],
    ] as const) {
      await page.getByRole('searchbox').fill(text)
      await row(isFirst ? 'Zuleica São João' : 'Zuleica Wolff').waitFor()
      await row(isFirst ? 'Zuleica Wolff' : 'Zuleica São João').waitFor({ state: 'detached' })
    }
  })

  test('decisions-2 §22: who has a contact open is told what a colleague saved, takes it over and overwrites nothing', async () => {
    const { id } = await createContact('Quirino Alves', '5531987650003')
    await open('quirino')
    await page.getByRole('button', { name: 'Editar Quirino Alves' }).click()
    const form = page.getByRole('dialog', { name: 'Editar contato' })
    await form.getByLabel('Nome *').fill('Quirino Alves Filho')
    await api('PUT', `/contacts/${id}`, { email: 'quirino@correio.example' })
    await form.getByRole('button', { name: 'Ver o que mudou' }).click()
    expect(await form.getByLabel('E-mail').inputValue()).toBe('quirino@correio.example')
    expect(await form.getByLabel('Nome *').inputValue()).toBe('Quirino Alves Filho')
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.waitFor({ state: 'detached' })
    await row('Quirino Alves Filho').getByText('quirino@correio.example').waitFor()
  })

  test('spec 3 §5: an unfinished redirect is refused at its row in the words of the specification', async () => {
    await createContact('Xênia Prado', '5531987650004')
    await open('xenia')
    await page.getByRole('button', { name: 'Editar Xênia Prado' }).click()
    const form = page.getByRole('dialog', { name: 'Editar contato' })
    await form.getByRole('button', { name: 'Adicionar redirecionamento' }).click()
    await form.getByRole('button', { name: 'Salvar' }).click()
    await form.getByText('Não deve existir redirecionamento sem fila/usuário atribuído').waitFor()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Descartar' }).click()
  })

  test('decisions-2 §22: two are made one after a look at what moves, the history tells it, and it is taken back from there', async () => {
    await createContact('Benício Matos', '5531987650005')
    await createContact('Ben celular', '5531987650006')
    await open('ben')
    await page.getByRole('button', { name: /^Ver Benício Matos/ }).click()
    await panel().getByText('Contato criado').waitFor()
    await panel().getByRole('button', { name: 'Unir' }).click()
    const dialog = page.getByRole('dialog', { name: 'Unir Benício Matos com outro contato' })
    await dialog.getByRole('combobox', { name: 'Outro contato' }).fill('celular')
    await dialog.getByRole('option', { name: /Ben celular/ }).click()
    await dialog.getByText(/Números: .*98765-0006/).waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Unir contatos' }).click()
    await dialog.waitFor({ state: 'detached' })
    await row('Ben celular').waitFor({ state: 'detached' })
    await panel().getByText('Unido com Ben celular').waitFor()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await panel().getByRole('button', { name: 'Desfazer' }).click()
    await row('Ben celular').waitFor()
    await panel().getByText('União com Ben celular desfeita').waitFor()
    await waitUntil(
      'the merge cannot be taken back twice',
      async () => (await panel().getByRole('button', { name: 'Desfazer' }).count()) === 0,
    )
  })

  test('spec 3 §5: a contact with a protocol is not deleted, and why is said', async () => {
    const { tickets } = (await api('GET', '/tickets?showAll=true&status=open')) as unknown as {
      tickets: { id: number; contactId: number; contact: { name: string } }[]
    }
    const ticket = tickets.find(one => one.contact.name !== '')
    if (!ticket) throw new Error('The demo has no open ticket')
    await api('PUT', '/settings/generateProtocol', { value: 'enabled' })
    await api('POST', '/protocolos', { contactId: ticket.contactId, ticketId: ticket.id })
    await open(ticket.contact.name)
    await page.getByRole('button', { name: `Apagar ${ticket.contact.name} e todas as suas conversas` }).click()
    await page.getByText('Não é possível deletar esse contato pois existe um protocolo vinculado a ele').waitFor()
    await row(ticket.contact.name).waitFor()
  })

  test('spec 3 §2: at 1024 px nothing of a protocol stands under what can be done with it, however much is written', async () => {
    await sql`update protocol set mensagem = 'Boleto vencido renegociado em três parcelas iguais'`
    await sql`
      update contact set name = 'Distribuidora de Alimentos Irmãos Ferreira'
      where id in (select ticket.contact_id from protocol join ticket on ticket.id = protocol.ticket_id)`
    await page.setViewportSize({ width: 1024, height: 768 })
    await visit(page, '/protocolos')
    const table = page.getByRole('region', { name: 'Lista de protocolos' })
    await table.getByText('Boleto vencido').first().waitFor()
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
