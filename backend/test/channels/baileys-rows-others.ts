// Forms, what else there is, and what is no message, as Baileys brings it.
import { answer, chat, key, key32, notice, picture, type Row, text } from './baileys-pieces.ts'

export const FORMS: Row[] = [
  [
    'a form',
    answer({ flow_token: 't', nome: 'Ana', aceita: true, itens: ['pão', 'leite'] }, 'Enviado'),
    {
      kind: 'form',
      card: {
        title: 'Enviado',
        fields: [
          { name: 'nome', value: 'Ana' },
          { name: 'aceita', value: '✓' },
          { name: 'itens', value: 'pão, leite' },
        ],
      },
    },
  ],
  [
    'an address',
    answer({ values: { name: 'Ana', address: 'Rua A, 1', city: 'BH' } }),
    { kind: 'form', body: 'name: Ana\naddress: Rua A, 1\ncity: BH' },
  ],
  [
    'lists of objects',
    answer({ filhos: [{ nome: 'Bia' }, { nome: 'Caio' }] }),
    { kind: 'form', body: 'filhos · 1 · nome: Bia\nfilhos · 2 · nome: Caio' },
  ],
  ['an empty form', answer({ flow_token: 't' }), { kind: 'form', card: { fields: [] } }],
  ['a form with nothing at all', { interactiveResponseMessage: {} }, { kind: 'form' }],
  ['a form of 60 KB', answer({ texto: 'a'.repeat(60_000) }), { kind: 'form', card: { fields: [{ name: 'texto' }] } }],
  ['data that are no data', answer('{broken', 'Resposta'), { kind: 'form', card: { title: 'Resposta\n{broken' } }],
]

export const OTHERS: Row[] = [
  [
    'an event',
    {
      eventMessage: {
        name: 'Visita',
        description: 'Obra',
        startTime: 1_800_000_000,
        endTime: 1_800_003_600,
        location: { name: 'Rua A' },
        joinLink: 'https://call.whatsapp.com/x',
      },
    },
    {
      kind: 'event',
      body: 'Visita\nObra\nRua A',
      card: {
        startsAt: '2027-01-15T08:00:00.000Z',
        endsAt: '2027-01-15T09:00:00.000Z',
        place: 'Rua A',
        link: 'https://call.whatsapp.com/x',
        isCanceled: false,
      },
    },
  ],
  [
    'an event that was called off, at no time',
    { eventMessage: { name: 'Festa', isCanceled: true, startTime: 9e15 } },
    { kind: 'event', card: { isCanceled: true, startsAt: null, endsAt: null } },
  ],
  [
    'a planned call',
    { scheduledCallCreationMessage: { title: 'Reunião', scheduledTimestampMs: 1_800_000_000_000 } },
    { kind: 'event', card: { name: 'Reunião', startsAt: '2027-01-15T08:00:00.000Z' } },
  ],
  ...(['', 'V2', 'V3', 'V5'] as const).map(
    (version): Row => [
      `a poll ${version}`,
      {
        [`pollCreationMessage${version}`]: {
          name: 'Dia?',
          selectableOptionsCount: 1,
          options: [{ optionName: 'Seg' }, { optionName: 'Ter' }],
        },
      },
      {
        kind: 'poll',
        body: 'Dia?\n• Seg\n• Ter',
        card: { question: 'Dia?', options: ['Seg', 'Ter'], isMultiple: false },
      },
    ],
  ),
  [
    'a poll V4, in an envelope',
    { pollCreationMessageV4: { message: { pollCreationMessage: { name: 'Dia?', options: [{ optionName: 'Seg' }] } } } },
    { kind: 'poll', body: 'Dia?\n• Seg', card: { isMultiple: true } },
  ],
  [
    'how a poll ended',
    { pollResultSnapshotMessage: { name: 'Dia?', pollVotes: [{ optionName: 'Seg', optionVoteCount: 3 }] } },
    { kind: 'poll', body: 'Dia?\n• Seg (3)' },
  ],
  [
    'somebody who comes by an advertisement',
    {
      extendedTextMessage: {
        text: 'Vi o anúncio',
        contextInfo: {
          externalAdReply: {
            title: 'Promoção',
            body: 'Hoje',
            sourceUrl: 'https://fb.me/1',
            sourceType: 'ad',
            sourceId: '120',
          },
        },
      },
    },
    {
      kind: 'chat',
      body: 'Vi o anúncio',
      origin: { kind: 'ad', title: 'Promoção', text: 'Hoje', link: 'https://fb.me/1', code: '120' },
    },
  ],
  [
    'somebody who comes by a post, with a photo',
    { imageMessage: { ...picture, contextInfo: { externalAdReply: { sourceType: 'post', sourceId: '7' } } } },
    { kind: 'image', file: 'image/jpeg', origin: { kind: 'post', title: '', code: '7' } },
  ],
  [
    'a preview that a program made is no advertisement',
    { extendedTextMessage: { text: 'x', contextInfo: { externalAdReply: { title: 'Robô' } } } },
    chat('x'),
  ],
  [
    'a photo to be seen once, of which only the notice came',
    {},
    notice('view_once'),
    { key: { ...key, isViewOnce: true }, message: undefined },
  ],
  ['an envelope without anything in it', { ephemeralMessage: {} }, notice('new_kind', 'ephemeralMessage')],
]

export const NO_MESSAGE: Row[] = [
  ['nothing', {}, 'none'],
  ['keys', { senderKeyDistributionMessage: { groupId: 'g' } }, 'none'],
  ['a mention in a status', { statusMentionMessage: { message: { protocolMessage: { type: 25 } } } }, 'none'],
  ['a mention of a group in a status', { groupStatusMentionMessage: { message: { protocolMessage: {} } } }, 'none'],
  ['a change of privacy', { limitSharingMessage: { message: { protocolMessage: { type: 27 } } } }, 'none'],
  ['words to an assistant', { botInvokeMessage: { message: text('@Meta AI oi') } }, 'none'],
  ['a vote', { pollUpdateMessage: { pollCreationMessageKey: { id: 'x' } } }, 'none'],
  ['an answer to an event', { encEventResponseMessage: { eventCreationMessageKey: { id: 'x' } } }, 'none'],
  ['something pinned', { pinInChatMessage: { type: 1 } }, 'none'],
  ['something kept', { keepInChatMessage: { keepType: 1 } }, 'none'],
  ['a sealed reaction', { encReactionMessage: { encIv: key32 } }, 'none'],
  ['a past call', { callLogMesssage: { isVideo: true } }, 'none'],
  ['a status', text('meu status'), 'none', { key: { ...key, remoteJid: 'status@broadcast', participant: '123@lid' } }],
  ['a channel', text('novidade'), 'none', { key: { ...key, remoteJid: '77@newsletter' } }],
  ['WhatsApp’s assistant', text('posso ajudar?'), 'none', { key: { ...key, remoteJid: '867051314767696@bot' } }],
  [
    'what the phone writes to itself',
    text('comprar pão'),
    'none',
    { key: { ...key, remoteJid: '553132224010@s.whatsapp.net', fromMe: true } },
  ],
  ['the same by the hidden address', text('lembrete'), 'none', { key: { ...key, remoteJid: '99@lid', fromMe: true } }],
  [
    'what the phone writes to its own broadcast list',
    text('a todos'),
    'none',
    { key: { ...key, remoteJid: '17@broadcast', participant: '99@lid', fromMe: true } },
  ],
]
