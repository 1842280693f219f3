// The grammar of all commands: names, texts in three languages, complaints, and what shells are offered.
import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { commands } from '../src/commands/index.ts'
import { listCandidates } from '../src/kit/complete.ts'
import { isReadable, parseAddress } from '../src/kit/desk.ts'
import { resolveFormat } from '../src/kit/files.ts'
import { parsePeriod, pick } from '../src/kit/pick.ts'
import { createTexts, detectLanguage, LANGUAGES } from '../src/kit/texts.ts'
import { CommanderError, type CommandInvocation, createProgram, describeComplaint } from '../src/program.ts'

const silent = { write: () => undefined }

async function ask(...words: string[]): Promise<CommandInvocation | string> {
  let invocation: CommandInvocation | undefined
  const program = createProgram({
    ...{ commands, language: 'pt' as const, version: '1', stdout: silent, stderr: silent },
    perform: async call => {
      invocation = call
    },
  })
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return describeComplaint(error, createTexts('pt')) ?? 'help'
  }
  return invocation ?? 'nothing'
}

describe('every command', () => {
  test.each(commands.map(command => [command.name, command] as const))(
    '%s has its words in three languages',
    (_, command) => {
      for (const language of LANGUAGES) {
        const t = createTexts(language, command.texts)
        const keys = [
          'about',
          ...Object.keys(command.args).map(n => `arg.${n}`),
          ...Object.keys(command.options).map(n => `option.${n}`),
        ]
        // What all commands share says something of its own under `about`.
        if (!command.hidden) expect(t('about')).not.toBe(createTexts(language)('about'))
        expect(keys.filter(key => t(key) === key)).toEqual([])
      }
    },
  )

  test.each(commands.map(command => [command.name, command] as const))(
    '%s names its options as commander does',
    (_, command) => {
      for (const [name, written] of Object.entries(command.options)) {
        const flag = /--([\w-]+)/.exec(written)?.[1] ?? ''
        expect(flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())).toBe(name)
      }
    },
  )

  test('stands in the list: no file of commands is forgotten', async () => {
    const files = (await readdir(`${import.meta.dir}/../src/commands`)).filter(file => file !== 'index.ts')
    const index = await Bun.file(`${import.meta.dir}/../src/commands/index.ts`).text()
    expect(files.filter(file => !index.includes(`'./${file}'`))).toEqual([])
  })
})

describe('what is typed', () => {
  test('becomes a command with what it is given; general options may stand anywhere', async () => {
    const call = await ask('tickets', 'list', '--status', 'pending', '--json', '--profile', 'loja')
    if (typeof call === 'string') throw new Error(call)
    expect([call.command.name, call.options, call.json, call.profile]).toEqual([
      'tickets list',
      {
        status: 'pending',
        queue: undefined,
        search: undefined,
        all: false,
        followed: false,
        late: false,
        limit: undefined,
      },
      true,
      'loja',
    ])
  })

  test.each([
    [['telefonar'], 'Não há o comando telefonar.'],
    [['tickets', 'lits'], 'Não há o comando lits. Seria list?'],
    [['tickets', 'show'], 'Falta <id>.'],
    [['queues', '--todas'], 'Não há a opção --todas.'],
    [['tickets', 'list', '--status'], 'Falta o valor de --status <status>.'],
    [['queues', 'a', 'b'], 'Há palavras a mais.'],
    [['tickets'], 'help'],
    [['tickets', 'help'], 'Não há o comando help.'],
  ])('%j is answered: %s', async (words, complaint) => {
    expect(await ask(...words)).toBe(complaint)
  })
})

describe('shells are offered', () => {
  test.each([
    [['que'], ['queues']],
    [
      ['tickets', ''],
      ['answer', 'ask-in', 'leave', 'list', 'show', 'watch'],
    ],
    [
      ['tickets', 'list', '--s'],
      ['--search', '--status'],
    ],
    [['--json', 'profiles', 'u'], ['use']],
    [['completion', ''], []],
    [['comp'], ['completion']],
  ])('%j: %j', (words, offered) => {
    expect(listCandidates(commands, words)).toEqual(offered)
  })
})

describe('things are named', () => {
  const queues = [
    { id: 1, name: 'Vendas' },
    { id: 2, name: 'Vendas Atacado' },
    { id: 3, name: 'Pós-venda' },
  ]

  test.each([
    ['2', 2],
    ['vendas', 1],
    ['POS-VENDA', 3],
    ['atacado', 2],
  ])('%s by number, name without accents, or the part only one has', (typed, id) => {
    expect(pick(queues, typed).id).toBe(id)
  })

  test('not by what several have or nobody has', () => {
    expect(() => pick(queues, 'ven')).toThrow('several')
    expect(() => pick(queues, 'compras')).toThrow('none')
    expect(() => pick([], 'compras')).toThrow('noneAtAll')
  })
})

describe('days', () => {
  test('are days of the calendar, the last not before the first; each may be left out', () => {
    expect(parsePeriod({ from: '2028-02-29', to: '2028-02-29' })).toEqual(['2028-02-29', '2028-02-29'])
    expect(parsePeriod({ from: undefined, to: '2026-11-30' })).toEqual([undefined, '2026-11-30'])
    for (const typed of ['ontem', '2026-02-30', '2026-13-01', '0000-01-01', '01/11/2026'])
      expect(() => parsePeriod({ from: typed, to: undefined })).toThrow('noDay')
    expect(() => parsePeriod({ from: '2026-11-30', to: '2026-11-01' })).toThrow('daysBackwards')
  })
})

describe('a format', () => {
  test.each([
    [undefined, undefined, 'xlsx'],
    [undefined, '-', 'xlsx'],
    [undefined, 'todos.csv', 'csv'],
    [undefined, 'TODOS.CSV', 'csv'],
    [undefined, 'contatos de 27.11', 'xlsx'],
    ['csv', 'todos.xlsx', 'csv'],
  ] as const)('asked for as %s into %s is %s', (option, path, format) => {
    expect(resolveFormat(option, path, ['xlsx', 'csv'])).toBe(format)
  })

  test('is none where the name of the file says another one', () => {
    expect(() => resolveFormat(undefined, 'todos.pdf', ['xlsx', 'csv'])).toThrow('oneOf')
  })
})

describe('addresses and languages', () => {
  test.each([
    ['desk.example.com', 'https://desk.example.com'],
    ['localhost:3000', 'http://localhost:3000'],
    ['http://10.0.0.4:3000/tickets', 'http://10.0.0.4:3000'],
    ['https://desk.example.com/', 'https://desk.example.com'],
  ])('%s is %s', (written, url) => {
    expect(parseAddress(written)).toBe(url)
  })

  test('no password in an address', () => {
    expect(() => parseAddress('https://ana:senha@desk.example.com')).toThrow('secretInAddress')
    expect(() => parseAddress('http://')).toThrow('noAddress')
  })

  test('who could read the password is told apart', () => {
    expect(['http://10.0.0.4:3000', 'http://localhost:3000', 'https://a.example'].map(isReadable)).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each([
    [{ LANG: 'pt_BR.UTF-8' }, 'pt'],
    [{ LANG: 'en_US.UTF-8' }, 'en'],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'es_AR' }, 'es'],
    [{ LANG: 'C' }, 'pt'],
    [{}, 'pt'],
    [{ LANG: 'et_EE.UTF-8' }, 'pt'],
  ] as const)('%j reads %s', (env, language) => {
    expect(detectLanguage(env)).toBe(language)
  })
})
