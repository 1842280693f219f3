// The state of the composer of one internal chat and what its buttons do.
import type { Message, SharedChat } from '@balcao/contract'
import { LIMITS, MB } from '@balcao/contract/limits'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Attachment, attachmentOf, isTooSmall } from '../composer/attachments.ts'
import { keepDraft, readDraft } from '../composer/drafts.ts'
import type { Target } from '../composer/use-composer.ts'
import { desk, quotedOf } from '../desk/desk.ts'
import { clearTarget, view } from '../desk/view.ts'
import { chatCalls } from './chat-calls.ts'
import { chatDesk } from './chat-desk.ts'
import { laneOf } from './lane.ts'

const TYPING_EVERY_MS = 4000

export function useChatComposer(chat: SharedChat, field: RefObject<HTMLTextAreaElement | null>) {
  const t = useTexts('tickets')
  const lane = laneOf(chat.id)
  const [text, write] = useState(() => readDraft(lane))
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const typed = useRef(0)
  const target = useSnapshot(view).target[lane] as Target | undefined
  const editing = target?.kind === 'edit' ? target.message : null
  const sendable = text.trim() !== '' || (files.length > 0 && !editing)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another message to edit fills the field anew
  useEffect(() => {
    if (editing) write(editing.body)
    if (target) field.current?.focus()
  }, [editing?.id, target?.message.id])

  function setText(next: string) {
    write(next)
    setProblem(null)
    if (!editing) keepDraft(lane, next)
    if (next.trim() === '' || Date.now() - typed.current < TYPING_EVERY_MS) return
    typed.current = Date.now()
    live.typingInChat(chat.id)
  }

  function clear() {
    write('')
    keepDraft(lane, '')
    setFiles([])
    setProblem(null)
    clearTarget(lane)
    if (typed.current > 0) live.typingInChat(chat.id, 'paused')
    typed.current = 0
    field.current?.focus()
  }

  function send() {
    if (!sendable) return
    if (editing) return void saveEdit(editing)
    const { outgoing } = desk()
    const body = text.trim()
    const quoted = target ? quotedOf(target.message) : null
    if (files.length === 0) outgoing.add({ ticketId: lane, body, quoted })
    for (const [index, { file }] of files.entries())
      outgoing.add({ ticketId: lane, body: index === 0 ? body : '', quoted: index === 0 ? quoted : null }, file)
    clear()
  }

  async function saveEdit(message: Message) {
    const body = text.trim()
    if (body === message.body) return endEdit()
    try {
      chatDesk()
        .conversation(chat.id)
        .take(await chatCalls.edit(chat.id, message.id, body))
      endEdit()
    } catch (error) {
      toast.error(errorText(error))
    }
  }

  /** What was half written before comes back. */
  function endEdit() {
    clearTarget(lane)
    write(readDraft(lane))
    field.current?.focus()
  }

  function addFiles(added: readonly File[]) {
    if (editing || added.length === 0) return
    const wanted = added.filter(file => !isTooSmall(file)).map(attachmentOf)
    const all = [...files, ...wanted]
    if (all.reduce((sum, { file }) => sum + file.size, 0) > LIMITS.chatAttachments)
      return setProblem(t('composer.tooLarge', { limit: Math.round(LIMITS.chatAttachments / MB) }))
    setProblem(wanted.length < added.length ? t('composer.emptyFile') : null)
    setFiles(all)
    field.current?.focus()
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
    clearTarget: () => (editing ? endEdit() : clearTarget(lane)),
    sendable,
    problem,
    send,
    insert,
  }
}
