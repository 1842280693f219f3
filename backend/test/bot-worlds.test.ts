// What holds of every conversation with the bot (decisions-2 §9), and that the page which plays it leads where the inbox leads (§8).
import { describe, expect, test } from 'bun:test'
import { isOver, NOTHING, type Play, type PlaySetup, playCustomerMessage } from '@balcao/contract/follow-up/play'
import { questions } from '../src/desk/bot-questions/table.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { settings } from '../src/policy/settings/table.ts'
import { type BotScenario, makeBotScenario, pickWords, toStoredSettings } from './bot-worlds.ts'
import { createTestDatabase } from './database.ts'
import { makePerson, makeQueue } from './desk-world.ts'
import { makeInbox, makeMessageEvent, makePeer } from './inbox-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'

const { db } = await createTestDatabase()
const sql = getSql(db)
const NOW = Date.UTC(2026, 0, 5, 13)
const PLACES = { queueIds: [11, 12, 13, 14], userIds: [21, 22, 23, 24] }
const CONVERSATIONS = countRounds({ all: 1000, few: 120 })
const WORLDS = countRounds({ all: 60, few: 12 })

function isWithPeople({ conversation: { status } }: Play): boolean {
  return status === 'pending' || status === 'open'
}

function saidSince(before: Play, after: Play): number {
  return after.lines.slice(before.lines.length).filter(line => line.isOurs).length
}

/** Each message a minute later. */
function goOn(stage: PlaySetup, play: Play, text: string): Play {
  return playCustomerMessage(stage, play, text, NOW + play.lines.length * 60_000)
}

describe(`${CONVERSATIONS} random conversations`, () => {
  const talks = Array.from({ length: CONVERSATIONS }, (_, seed) => {
    const random = createSeededRandom(seed)
    const { stage } = makeBotScenario(random, PLACES)
    const plays = [NOTHING]
    for (let n = 0; n < 4 + random.upTo(12); n++) {
      const before = plays.at(-1) ?? NOTHING
      plays.push(goOn(stage, before, pickWords(random, stage)))
    }
    return { seed, stage, plays, random }
  })
  const withBot = talks.flatMap(({ seed, stage, plays }) =>
    plays.filter(play => play.conversation.status === 'bot').map(play => ({ seed, stage, play })),
  )

  test('the bot is in most of them, and each of its ends is', () => {
    expect(new Set(withBot.map(({ seed }) => seed)).size).toBeGreaterThan(CONVERSATIONS / 2)
    const ends = talks.flatMap(({ plays }) =>
      plays.flatMap((play, at) => (plays[at - 1]?.conversation.status === 'bot' ? [play.conversation.status] : [])),
    )
    expect(new Set(ends)).toEqual(new Set(['bot', 'pending', 'open', 'closed']))
  })

  test('it is never silent: whoever writes to the bot is answered, by it or by people', () => {
    for (const { seed, plays } of talks)
      for (const [at, play] of plays.entries()) {
        const before = plays[at - 1]
        if (!before || (before.conversation.status !== 'bot' && play.conversation.status !== 'bot')) continue
        const isAnswered = saidSince(before, play) > 0
        expect({ seed, at, isAnswered }).toEqual({ seed, at, isAnswered: true })
      }
  })

  test('it is never in a loop: whatever another program keeps answering, people see to it', () => {
    for (const { seed, stage, play } of withBot.filter((_, at) => at % 5 === 0)) {
      for (const text of ['1', 'Horário', 'nada', stage.questions[0]?.pergunta ?? '', play.lines.at(-1)?.text ?? '']) {
        let now = play
        let turns = 0
        while (now.conversation.status === 'bot' && turns <= 30) {
          now = goOn(stage, now, text)
          turns++
        }
        expect({ seed, text, isWithPeople: isWithPeople(now) || isOver(now.conversation) }).toEqual({
          seed,
          text,
          isWithPeople: true,
        })
      }
    }
  })

  test('there is always a way to a person: 99, and whoever is not understood', () => {
    for (const { seed, stage, play } of withBot) {
      const outcome = goOn(stage, play, '99')
      const lost = ['não', 'entendi', 'nada'].reduce((now, text) => goOn(stage, now, text), play)
      expect({ seed, asked: isWithPeople(outcome), lost: isWithPeople(lost) }).toEqual({
        seed,
        asked: true,
        lost: true,
      })
      const { menusShown, queueId } = outcome.conversation
      if (menusShown === null) continue
      expect({ seed, queueId, chosen: goOn(stage, outcome, '1').conversation.queueId }).toEqual({
        seed,
        queueId: null,
        chosen: stage.queues[0]?.id ?? null,
      })
    }
  })
})

describe('the page leads where the inbox leads', () => {
  test('redirect, substitution, queue menu and bot: the same words, status, queue and person', async () => {
    const inbox = await makeInbox(db)
    const queueIds = await Promise.all([0, 1, 2, 3].map(n => makeQueue(db, `Fila ${n}`)))
    await Promise.all(queueIds.map((id, at) => sql`update queue set custom_order = ${at} where id = ${id}`))
    const userIds: number[] = []
    for (const name of ['Ana', 'Bruna', 'Carlos', 'Davi'])
      userIds.push(await makePerson(db, { name, profile: 'user', queueIds }))
    await sql`update "user" set start_time = '00:00', end_time = '23:59', weekdays = true, saturday = true, sunday = true, holidays = true`
    const seen = new Set<string>()
    for (let seed = 0; seed < WORLDS; seed++) {
      const random = createSeededRandom(5000 + seed)
      const world = makeBotScenario(random, { queueIds, userIds })
      await inbox.empty()
      const lucia = makePeer({ pn: `55319987${10_000 + seed}` })
      await inbox.take({ ...makeMessageEvent(lucia, 'antes', { name: 'Ana Souza' }), past: true })
      // Thanks for a conversation that has just ended would stay in it.
      await sql`update ticket set closed_at = closed_at - interval '1 day'`
      await enter(world, inbox.whatsappId, queueIds, userIds)
      let play = NOTHING
      const began = Date.now()
      for (let n = 0; n < 6; n++) {
        const text = pickWords(random, world.stage)
        const at = began + (n + 1) * 1000
        await inbox.take(makeMessageEvent(lucia, text, { at, name: 'Ana Souza' }))
        play = playCustomerMessage(world.stage, play, text, at)
        const [ticket] = await sql`
          select status, queue_id as queue, user_id as person from ticket where closed_at is null or not exists (
            select from message where ticket_id = ticket.id and body = 'antes') order by id desc limit 1`
        const rows = await sql`select body from message where from_me and automatic order by id`
        const { status, queueId } = play.conversation
        expect({ seed, text, ...ticket, said: rows.map(row => row.body) }).toEqual({
          ...{ seed, text, status, queue: queueId, person: play.userId },
          said: play.lines.filter(line => line.isOurs).map(line => line.text),
        })
        seen.add(`${status}${queueId === null ? '' : ' in a queue'}${play.userId === null ? '' : ' with a person'}`)
      }
    }
    for (const end of ['bot', 'bot in a queue', 'pending', 'pending in a queue', 'open in a queue with a person'])
      expect([...seen]).toContain(end)
  }, 240_000)
})

/** The world as the server stores it. */
async function enter(
  { served, away, redirects, stage }: BotScenario,
  whatsappId: number,
  queueIds: readonly number[],
  userIds: readonly number[],
): Promise<void> {
  await sql`truncate whatsapp_queue, user_substitute, contact_redirect, question`
  await db.delete(settings)
  await db.insert(settings).values(toStoredSettings({ served, away, redirects, stage }))
  clearSettingsCache(db)
  const { greetingMessage, greetingBotMessage, greetingMessageRedirect, farewellMessage } = stage.connection
  await sql`update whatsapp set greeting_message = ${greetingMessage}, greeting_bot_message = ${greetingBotMessage},
    greeting_message_redirect = ${greetingMessageRedirect}, farewell_message = ${farewellMessage}`
  await sql`insert into whatsapp_queue (whatsapp_id, queue_id) select ${whatsappId}, unnest(${queueIds.slice(0, served)}::int[])`
  await sql`update "user" set active = id <> all(${away.map(at => userIds[at] ?? 0)}::int[])`
  for (const { queue, user, substitute } of redirects) {
    const [queueId, userId] = [queueIds[queue] ?? 0, userIds[user] ?? 0]
    await sql`insert into contact_redirect (contact_id, queue_id, user_id) select id, ${queueId}, ${userId} from contact`
    if (substitute !== null)
      await sql`insert into user_substitute (user_id, queue_id, substitute_id) values (${userId}, ${queueId}, ${userIds[substitute] ?? 0})`
  }
  if (stage.questions.length > 0)
    await db.insert(questions).values(
      stage.questions.map(({ pergunta, resposta, queueId, openTicket }, at) => {
        return { pergunta, resposta, queueId, openTicket, position: at + 1 }
      }),
    )
}
