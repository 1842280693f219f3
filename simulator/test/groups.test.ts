import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type ChatGroup,
  type CompanyPhone,
  type CustomerPhone,
  startWhatsApp,
  type WhatsAppNetwork,
} from '../src/whatsapp'
import { type Client, pairClient } from './client'

let world: WhatsAppNetwork
let company: CompanyPhone
let lucia: CustomerPhone
let joao: CustomerPhone
let client: Client
let groups: ChatGroup[]

beforeAll(async () => {
  world = await startWhatsApp({ ackDelayMs: 75 })
  company = world.company({ number: '553132224010', name: 'Loja Centro' })
  lucia = world.customer({ number: '5531998762210', name: 'Dona Lúcia' })
  joao = world.customer({ number: '5511987654321', name: 'João', addressing: 'pn' })
  client = await pairClient(world, company)
  groups = (['lid', 'pn'] as const).map(addressing =>
    world.group({ subject: `Obra ${addressing}`, members: [company, lucia, joao], owner: lucia, addressing }),
  )
})

afterAll(async () => {
  client?.end()
  await world.stop()
})

for (const index of [0, 1]) {
  const group = () => groups[index] ?? world.group({ subject: 'never', members: [] })
  const name = ['hidden ids', 'phone numbers'][index]

  test(`members write to a group of ${name} and the desk reads all of it`, async () => {
    for (const text of ['um', 'dois', 'três']) {
      for (const member of [lucia, joao]) {
        const id = await member.send(group(), { type: 'text', text })
        const message = await client.until(text, () => client.message(id))
        expect(message.message?.conversation).toBe(text)
        expect(message.key).toMatchObject({ remoteJid: group().jid, participant: group().addressOf(member) })
      }
    }
  })

  test(`the desk writes to a group of ${name}, members answer with receipts`, async () => {
    for (const text of ['quatro', 'cinco']) {
      const sent = await client.sock.sendMessage(group().jid, { text })
      const id = sent?.key.id ?? ''
      for (const member of [lucia, joao]) {
        await client.until(`${member.name} has it`, () => member.message(group().jid, id))
        await client.until(`${member.name} confirmed`, () =>
          client
            .all('message-receipt.update')
            .flat()
            .find(each => each.key.id === id && each.receipt.userJid === group().addressOf(member)),
        )
      }
      lucia.read(group())
      await client.until('read', () =>
        client
          .all('message-receipt.update')
          .flat()
          .find(each => each.key.id === id && each.receipt.readTimestamp),
      )
    }
  })

  test(`a member reacts in a group of ${name}`, async () => {
    const sent = await client.sock.sendMessage(group().jid, { text: 'Que tal?' })
    const id = sent?.key.id ?? ''
    await client.until('it arrived', () => joao.message(group().jid, id))
    await joao.send(group(), { type: 'reaction', of: id, emoji: '😂' })
    const found = await client.until('the reaction', () =>
      client
        .all('messages.reaction')
        .flat()
        .find(each => each.key.id === id),
    )
    expect(found.reaction.text).toBe('😂')
    expect(found.key.fromMe).toBe(true)
  })
}

test('the desk learns of a group, its members and its changes', async () => {
  const [group] = groups
  if (!group) throw new Error('no group')
  await client.until('the new group', () =>
    client
      .all('groups.upsert')
      .flat()
      .find(each => each.id === group.jid),
  )
  const metadata = await client.sock.groupMetadata(group.jid)
  expect(metadata).toMatchObject({ subject: 'Obra lid', owner: lucia.lid, addressingMode: 'lid' })
  expect(metadata.participants.map(each => each.phoneNumber)).toContain(joao.jid)
  expect(Object.keys(await client.sock.groupFetchAllParticipating())).toHaveLength(2)
  group.rename('Obra nova', lucia)
  await client.until('the new name', () =>
    client
      .all('groups.update')
      .flat()
      .find(each => each.subject === 'Obra nova'),
  )
  const ana = world.customer({ number: '5521999990000', name: 'Ana' })
  group.add(ana, lucia)
  await client.until('the new member', () =>
    client.all('group-participants.update').find(each => each.action === 'add'),
  )
})

test('what is typed on the phone into a group shows at the desk', async () => {
  const [group] = groups
  if (!group) throw new Error('no group')
  const id = await company.type({ to: group, text: 'Do celular' })
  const message = await client.until('the copy', () => client.message(id))
  expect(message.key).toMatchObject({ fromMe: true, remoteJid: group.jid })
  expect(message.message?.conversation).toBe('Do celular')
})

test('a member with a new phone still reads and writes in the group', async () => {
  const [group] = groups
  if (!group) throw new Error('no group')
  lucia.reinstall()
  const sent = await client.sock.sendMessage(group.jid, { text: 'Chegou?' })
  await client.until('it arrived', () => lucia.message(group.jid, sent?.key.id ?? ''))
  const id = await lucia.send(group, { type: 'text', text: 'Chegou' })
  const message = await client.until('the answer', () => client.message(id)?.message)
  expect(message.conversation).toBe('Chegou')
})
