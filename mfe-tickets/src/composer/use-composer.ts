// The state of the composer of one ticket and what its buttons do.
import type { Message, QuickAnswer, Ticket } from '@balcao/contract'
import { errorText, formatDate, formatTime, useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { session } from '@balcao/ui/session'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { takeMessage } from '../conversation/conversation-store.ts'
import { desk, quotedOf } from '../desk/desk.ts'
import { clearTarget, view } from '../desk/view.ts'
import { server } from '../server.ts'
import { useMinute } from '../use-minute.ts'
import { type Attachment, attachmentOf, isTooSmall, totalProblem } from './attachments.ts'
import { isSigning, keepDraft, keepSigning, readDraft } from './drafts.ts'
import { fillWords, isComment, isSendable, outgoingBody, signatureOf, splitSignature, type Words } from './wording.ts'

const TYPING_EVERY_MS = 4000

export interface Target {
  readonly kind: 'reply' | 'edit'
  readonly message: Message
}

export function useComposer(ticket: Ticket, field: RefObject<HTMLTextAreaElement | null>) {
  const t = useTexts('tickets')
  const [text, write] = useState(() => readDraft(ticket.id))
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const [signing, sign] = useState(isSigning)
  const [problem, setProblem] = useState<string | null>(null)
  const typed = useRef(0)
  const target = useSnapshot(view).target[ticket.id] as Target | undefined
  const now = useMinute()

  const comment = isComment(text) && target?.kind !== 'edit'
  const closed =
    ticket.whatsapp.api === 'cloud_api' && (!ticket.windowUntil || Date.parse(ticket.windowUntil) <= now.getTime())
  const blocked = closed && !comment ? ('window' as const) : null
  const sendable = !blocked && (isSendable(text) || (files.length > 0 && !comment))

  const editing = target?.kind === 'edit' ? target.message : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another message to edit fills the field anew
  useEffect(() => {
    if (editing) write(splitSignature(editing.body).body)
    if (target) field.current?.focus()
  }, [editing?.id, target?.message.id])

  function setText(next: string) {
    write(next)
    setProblem(null)
    if (!editing) keepDraft(ticket.id, next)
    if (next.trim() === '' || isComment(next) || Date.now() - typed.current < TYPING_EVERY_MS) return
    typed.current = Date.now()
    live.typing(ticket.id)
  }

  function clear() {
    write('')
    keepDraft(ticket.id, '')
    setFiles([])
    setProblem(null)
    clearTarget(ticket.id)
    if (typed.current > 0) live.typing(ticket.id, 'paused')
    typed.current = 0
    field.current?.focus()
  }

  function send() {
    if (!sendable) return
    if (editing) return void saveEdit(editing)
    const { outgoing } = desk()
    const body = outgoingBody(
      fillWords(text, wordsFor(ticket, t)),
      signing ? signatureOf(session.user?.name ?? '') : null,
    )
    const quoted = target?.kind === 'reply' ? quotedOf(target.message) : null
    if (files.length === 0) outgoing.add({ ticketId: ticket.id, body, quoted })
    for (const [index, { file }] of files.entries())
      outgoing.add(
        { ticketId: ticket.id, body: index === 0 && isSendable(text) ? body : '', quoted: index === 0 ? quoted : null },
        file,
      )
    clear()
  }

  async function saveEdit(message: Message) {
    const { author } = splitSignature(message.body)
    const body = author ? `*${author}:*\n${text.trim()}` : text.trim()
    if (body === message.body) return clear()
    try {
      takeMessage(await server.edit(message.ticketId, message.id, body))
      clear()
      write(readDraft(ticket.id))
    } catch (error) {
      toast.error(errorText(error))
    }
  }

  function addFiles(added: readonly File[]) {
    if (editing || added.length === 0) return
    const wanted = added.filter(file => !isTooSmall(file)).map(attachmentOf)
    const limit = totalProblem(
      [...files, ...wanted].map(({ file }) => file),
      ticket.whatsapp.api,
    )
    if (limit !== null) return setProblem(t('composer.tooLarge', { limit }))
    setProblem(wanted.length < added.length ? t('composer.emptyFile') : null)
    setFiles([...files, ...wanted])
    field.current?.focus()
  }

  async function takeAnswer(answer: QuickAnswer) {
    setText(fillWords(answer.message, wordsFor(ticket, t)))
    field.current?.focus()
    if (!answer.mediaUrl) return
    try {
      const response = await fetch(answer.mediaUrl)
      if (!response.ok) throw new Error(`file of a quick answer: HTTP ${response.status}`)
      const blob = await response.blob()
      addFiles([new File([blob], answer.mediaName ?? 'arquivo', { type: blob.type })])
    } catch (error) {
      toast.error(errorText(error))
    }
  }

  function insert(piece: string) {
    const at = field.current?.selectionStart ?? text.length
    const end = field.current?.selectionEnd ?? at
    setText(text.slice(0, at) + piece + text.slice(end))
    field.current?.focus()
  }

  return {
    text,
    setText,
    files,
    addFiles,
    removeFile: (id: string) => setFiles(files.filter(file => file.id !== id)),
    target,
    clearTarget() {
      if (editing) write(readDraft(ticket.id))
      clearTarget(ticket.id)
    },
    signing,
    setSigning(on: boolean) {
      sign(on)
      keepSigning(on)
    },
    blocked,
    sendable,
    problem,
    send,
    insert,
    takeAnswer: (answer: QuickAnswer) => void takeAnswer(answer),
    begin(prefix: string) {
      setText(prefix)
      field.current?.focus()
    },
    toggleComment() {
      setText(comment ? text.replace(/^\s*--\s?/, '') : `-- ${text}`)
      field.current?.focus()
    },
  }
}

function wordsFor(ticket: Ticket, t: ReturnType<typeof useTexts>): Words {
  const now = new Date()
  return {
    name: ticket.contact.name,
    number: ticket.contact.number ?? '',
    queue: ticket.queue?.name ?? '',
    user: session.user?.name ?? '',
    date: formatDate(now),
    time: formatTime(now),
    hour: Number(formatTime(now).slice(0, 2)),
    greetings: { morning: t('greeting.morning'), afternoon: t('greeting.afternoon'), night: t('greeting.night') },
  }
}
