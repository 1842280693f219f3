import { describe, expect, test } from 'bun:test'
import { Team } from '../src/team/team.ts'

const BRUNA = 2
const DIEGO = 3
const nobody = { online: [], away: [], offline: [] }

describe('who is there (spec 1 §3 "status")', () => {
  test('is what was fetched until the line tells, and then what the line tells, also where the list comes later', () => {
    const team = new Team(9)
    team.take([{ id: BRUNA, status: 'offline' }])
    expect(team.of(BRUNA)).toBe('offline')
    team.hear({ kind: 'presence', all: false, ...nobody, online: [BRUNA] })
    team.take([
      { id: BRUNA, status: 'offline' },
      { id: DIEGO, status: 'away' },
    ])
    expect([team.of(BRUNA), team.of(DIEGO)]).toEqual(['online', 'away'])
    expect(team.of(DIEGO, 'online')).toBe('online')
  })

  test('whoever is not named where all are is offline; who came and went in rounds is as they were told last', () => {
    const team = new Team(9)
    team.hear({ kind: 'presence', all: false, ...nobody, online: [BRUNA, DIEGO] })
    team.hear({ kind: 'presence', all: false, ...nobody, away: [DIEGO] })
    expect([team.of(BRUNA), team.of(DIEGO)]).toEqual(['online', 'away'])
    team.hear({ kind: 'presence', all: true, ...nobody, online: [DIEGO] })
    expect([team.of(BRUNA, 'online'), team.of(DIEGO)]).toEqual(['offline', 'online'])
    team.hear({ kind: 'presence', all: false, ...nobody, offline: [DIEGO] })
    expect(team.of(DIEGO)).toBe('offline')
  })

  test('the owner, whom nobody is told of, sees himself as the list says', () => {
    const team = new Team(1)
    team.hear({ kind: 'presence', all: true, ...nobody, online: [BRUNA] })
    expect([team.of(1, 'online'), team.of(DIEGO, 'online')]).toEqual(['online', 'offline'])
  })

  test('whoever shows it is told', () => {
    const team = new Team(9)
    let times = 0
    const stop = team.on(() => times++)
    team.hear({ kind: 'presence', all: true, ...nobody })
    stop()
    team.hear({ kind: 'presence', all: true, ...nobody })
    expect(times).toBe(1)
  })
})
