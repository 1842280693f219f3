// A message waits for the name of its group: one that does not come is not waited for with every message.
import { describe, expect, test } from 'bun:test'
import { BaileysGroups } from '../../src/messaging/channels/baileys/groups.ts'
import { MeowGroups } from '../../src/messaging/channels/meow/groups.ts'

const GROUP = '120363000000000001@g.us'

describe('a group of which the other side does not tell', () => {
  const createLine = () => {
    const lookUps: string[] = []
    const groupMetadata = (jid: string): Promise<never> => {
      lookUps.push(jid)
      return Promise.reject(new Error('forbidden'))
    }
    return { lookUps, groupMetadata }
  }

  test('baileys: is asked for once, again by a new line, and always where a person looks', async () => {
    const groups = new BaileysGroups()
    const line = createLine()
    for (let n = 0; n < 3; n++) expect(await groups.name(line, GROUP)).toBeUndefined()
    expect(line.lookUps).toEqual([GROUP])
    const next = createLine()
    for (let n = 0; n < 3; n++) await groups.name(next, GROUP)
    expect(next.lookUps).toEqual([GROUP])
    await groups.find(next, GROUP)
    expect(next.lookUps).toEqual([GROUP, GROUP])
  })

  test('meow: is asked for once, and always where a person looks; once it is told it has its name', async () => {
    let lookUps = 0
    let answer: Promise<unknown> = Promise.resolve(null)
    const groups = new MeowGroups({
      get() {
        lookUps += 1
        return answer
      },
    })
    for (let n = 0; n < 3; n++) expect(await groups.name(GROUP)).toBeUndefined()
    expect(lookUps).toBe(1)
    answer = Promise.resolve({ Name: 'Condomínio' })
    expect((await groups.find(GROUP))?.subject).toBe('Condomínio')
    expect([await groups.name(GROUP), lookUps]).toEqual(['Condomínio', 2])
  })
})
