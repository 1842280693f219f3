// The state of a composer and what its buttons do.
import type { Message, QuickAnswer } from '@balcao/contract'
import { isComment, stripCommentPrefix, toComment } from '@balcao/contract/messages/comments'
import type { MemberMention } from '@balcao/contract/messages/member-mentions'
import { areLettersPaused } from '@balcao/ui/actions'
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { getSessionSignal, session } from '@balcao/ui/session'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { getStores, toQuotedMessage } from '../desk/stores.ts'
import { clearTarget, view } from '../desk/view.ts'
import { useMinute } from '../use-minute.ts'
import { fetchAnswerFile } from './answer-file.ts'
import { dropStored, putAtHand, returnSheet } from './at-hand.ts'
import { findRefusedFile, findTotalLimit, isTooSmall, toAttachment } from './attachments.ts'
import type { ComposerContext } from './composer-context.ts'
import {
  describeLostFiles,
  enterDraft,
  type HeldEdit,
  isHelper,
  isSigning,
  keepDraft,
  keepEdit,
  keepMembers,
  keepSheet,
  keepSigning,
  leaveDraft,
  readEdit,
  readMembers,
  readSheet,
} from './drafts.ts'
import { insertPiece } from './field.ts'
import { findEditLength, findNearLimit, isOver, isTooLong } from './length.ts'
import type { Recording } from './recorder.ts'
import {
  appendFiles,
  type ComposerSheet,
  createEmptySheet,
  findBlankSheet,
  getSheetText,
  hasCommentOnFile,
  setSheetText,
} from './sheet.ts'
import { useWords } from './use-words.ts'
import { isWindowOpen } from './window.ts'
import { type Blank, composeBody, fillWords, getSignature, isSendable, listBlanks, splitSignature } from './wording.ts'

const TYPING_EVERY_MS = 4000

export interface Target {
  readonly kind: 'reply' | 'edit'
  readonly message: Message
}

export type Composer = ReturnType<typeof useComposer>

export function useComposer(place: ComposerContext, field: RefObject<HTMLTextAreaElement | null>) {
  const t = useTexts('tickets')
  const { lane, ticket, onlyComments } = place
  const isWaiting = place.accept !== null
  const [sheet, setSheet] = useState(() => readSheet(lane))
  const [edit, setEdit] = useState(() => readEdit(lane))
  const [signing, sign] = useState(isSigning)
  const [problem, setProblem] = useState(() => describeLostFiles(lane, t))
  const typed = useRef(0)
  /** What lies there now, for whoever waited for something. Null once the composer is gone. */
  const latest = useRef<ComposerSheet | null>(sheet)
  /** To be marked in the field once it shows what lies there. */
  const marked = useRef<Blank | undefined>(undefined)
  /** The file of a quick answer on its way; `isSent`: the message was sent off and goes once the file lies there. */
  const coming = useRef<{ isSent: boolean } | null>(null)
  const isDue = useRef(false)
  const edited = useRef(edit)
  /** The messages whose change is being saved. */
  const saving = useRef(new Set<number>())
  const words = useWords(ticket)
  const target = useSnapshot(view).target[lane] as Target | undefined
  const now = useMinute()

  const editing = target?.kind === 'edit' ? target.message : null
  const written = getSheetText(sheet)
  // Where nothing else can be written the dashes need not be read; what lies there stays a comment whoever has the conversation later.
  const shown = onlyComments ? stripCommentPrefix(written) : written
  const text = editing ? (edit?.id === editing.id ? edit.text : wordsToEdit(editing)) : shown
  const comment = ticket !== null && !editing && sheet.files.length === 0 && (onlyComments || isComment(text))
  const blocked =
    ticket !== null && !comment && !editing && (onlyComments || ticket.isOutOfGroup || !isWindowOpen(ticket, now))
  const commentInEdit = ticket !== null && editing?.mediaType === 'chat' && isComment(text)
  const kind = comment || editing?.mediaType === 'comment' ? undefined : ticket?.whatsapp.api
  const length = !kind
    ? null
    : editing
      ? findEditLength(kind, text, signedAsBefore)
      : findNearLimit(kind, sheet, bodyOf)
  const tooLong = kind !== undefined && (editing ? isOver(length) : isTooLong(kind, sheet, bodyOf))
  const trouble = commentInEdit
    ? t('composer.commentInEdit')
    : hasCommentOnFile(sheet)
      ? t('composer.commentOnFile')
      : tooLong
        ? isOver(length)
          ? t('composer.tooLong', { most: length?.most })
          : t('composer.oneTooLong')
        : problem
  const anything = isSendable(ticket ? text : text.trim()) || sheet.files.length > 0
  const sendable =
    !blocked && !tooLong && !hasCommentOnFile(sheet) && (editing ? text.trim() !== '' && !commentInEdit : anything)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another message to answer or edit takes the focus
  useEffect(() => {
    if (target) field.current?.focus()
  }, [target?.kind, target?.message.id])

  useEffect(() => {
    latest.current = sheet
    if (marked.current) field.current?.setSelectionRange(marked.current.from, marked.current.to)
    marked.current = undefined
    return () => {
      latest.current = null
    }
  }, [sheet, field])

  useEffect(() => {
    edited.current = edit
  }, [edit])

  useEffect(() => {
    if (!isDue.current) return
    isDue.current = false
    if (!editing) send()
  })

  useEffect(() => {
    if (isWaiting) return leaveDraft(lane)
    enterDraft(lane)
    return () => leaveDraft(lane)
  }, [lane, isWaiting])

  useEffect(() =>
    putAtHand({
      lane,
      read: () => (editing || comment ? null : latest.current),
      getSheet: () => latest.current,
      fill(written) {
        const values = words()
        return values ? fillWords(written, values) : written
      },
      replace: changeSheet,
    }),
  )

  /** Until a conversation is accepted its row says what is written there, as of one that was left. */
  function lay(next: ComposerSheet) {
    setSheet(next)
    if (latest.current) latest.current = next
    keepSheet(lane, next)
    if (isWaiting) leaveDraft(lane)
  }

  /** In internal chats two dashes are two dashes. */
  function wordsToEdit(message: Message): string {
    return ticket ? splitSignature(message.body).body : message.body
  }

  function setText(next: string) {
    setProblem(null)
    if (editing) return changeEdit({ id: editing.id, text: next })
    const words = onlyComments ? toComment(next) : next
    if (words.trim() === '' && sheet.files.length === 0) coming.current = null
    stay()
    lay(setSheetText(sheet, words))
    if (words.trim() === '' || (ticket && isComment(words)) || Date.now() - typed.current < TYPING_EVERY_MS) return
    typed.current = Date.now()
    place.typing('typing')
  }

  /** What is changed after it was sent off is not sent by itself any more. */
  function stay() {
    if (coming.current) coming.current.isSent = false
  }

  function changeSheet(next: ComposerSheet) {
    setProblem(null)
    stay()
    lay(next)
  }

  function changeEdit(next: HeldEdit | null) {
    setEdit(next)
    keepEdit(lane, next)
  }

  function clear() {
    lay(createEmptySheet())
    setProblem(null)
    clearTarget(lane)
    if (typed.current > 0) place.typing('paused')
    typed.current = 0
    field.current?.focus()
  }

  /** As it goes out: words filled in and signed in tickets, as written in chats. */
  function bodyOf(written: string): string {
    const values = words()
    if (!values) return written.trim()
    return composeBody(fillWords(written, values), signing ? getSignature(session.user?.name ?? '') : null)
  }

  /** A changed message keeps its signature. */
  function signedAsBefore(written: string): string {
    const { author } = ticket && editing ? splitSignature(editing.body) : { author: null }
    return author ? `*${author}:*\n${written.trim()}` : written.trim()
  }

  function send() {
    if (!sendable) return
    if (editing) return void reportErrors(() => saveEdit(editing))
    if (coming.current) {
      coming.current.isSent = true
      return setProblem(t('composer.answerFileComing'))
    }
    const unfilled = ticket && !comment ? findBlankSheet(sheet) : null
    if (unfilled) {
      marked.current = unfilled.blank
      setSheet(unfilled.sheet)
      setProblem(t('composer.fillIn', { name: unfilled.blank.name }))
      return field.current?.focus()
    }
    const { outgoing } = getStores()
    let quoted = target ? toQuotedMessage(target.message) : null
    const { files } = sheet
    const members = files.length > 0 ? [] : readMembers(lane).filter(({ id }) => isHelper(id) === comment)
    const sending: (() => void)[] = []
    function add(body: string, file?: File) {
      const entry = { ticketId: lane, body, quoted, ...(members.length > 0 && { members }) }
      sending.push(() => outgoing.add(entry, file))
      quoted = null
    }
    if (files.length === 0 || isSendable(sheet.text)) add(bodyOf(comment ? toComment(sheet.text) : sheet.text))
    for (const { file, caption } of files) add(isSendable(caption) ? bodyOf(caption) : '', file)
    clear()
    deliver(
      () => {
        for (const go of sending) go()
      },
      sheet,
      members,
    )
  }

  /** In a conversation that waits it goes out once that is accepted, a comment at once; where it is not accepted, all lies in the composer again. */
  function deliver(go: () => void, parcel: ComposerSheet, members: readonly MemberMention[] = []) {
    const { accept } = place
    if (!accept || comment) return go()
    const stored = getSheetText(parcel)
    if (stored) keepDraft(lane, stored)
    leaveDraft(lane)
    if (members.length > 0) keepMembers(lane, members)
    const here = getSessionSignal()
    void reportErrors(async () => {
      let accepted = false
      try {
        accepted = await accept()
      } finally {
        const now = latest.current
        if (accepted) go()
        if (accepted && stored && now) keepDraft(lane, getSheetText(now))
        else if (accepted && stored) dropStored(lane, stored)
        // Whoever has left takes their words along.
        if (!accepted && !here.aborted) returnSheet(lane, parcel, now === null)
      }
    })
  }

  /** A finished voice note goes at once; what was half written stays. Under 10000 bytes it is discarded (spec 1 §5). */
  function sendVoice({ file, seconds, waveform }: Recording) {
    if (isTooSmall(file, true)) return toast.info(t('composer.voiceTooShort'))
    const limit = findTotalLimit([file], place.most)
    if (limit !== null) return setProblem(t('composer.tooLarge', { limit }))
    const quoted = target?.kind === 'reply' ? toQuotedMessage(target.message) : null
    const { outgoing } = getStores()
    const entry = { ticketId: lane, body: '', quoted }
    if (quoted) clearTarget(lane)
    deliver(
      () => outgoing.add(entry, file, { voice: true, seconds, waveform }),
      appendFiles(createEmptySheet(), [toAttachment(file)]),
    )
  }

  /** Once at a time. Whoever left the edit meanwhile, or writes on in it, is not disturbed by its end. */
  async function saveEdit(message: Message) {
    const { id } = message
    if (saving.current.has(id)) return
    saving.current.add(id)
    try {
      const body = signedAsBefore(text)
      if (body !== message.body) await place.saveEdit(message, body)
    } finally {
      saving.current.delete(id)
    }
    const now = view.target[lane]
    const isWrittenOn = edited.current?.id === id && edited.current.text !== text
    if (now?.kind === 'edit' && now.message.id === id && !isWrittenOn) endEdit()
  }

  /** What was half written before is there again. */
  function endEdit() {
    changeEdit(null)
    clearTarget(lane)
    // The server took its time: meanwhile a dialog may have opened.
    if (!areLettersPaused()) field.current?.focus()
  }

  function addFiles(added: readonly File[]) {
    if (editing || added.length === 0) return
    if (comment) return setProblem(t('composer.commentOnFile'))
    attach(sheet, added)
    field.current?.focus()
  }

  /** Puts files to what lies there; too much together stays out (spec 1 §5). Returns whether all lie there. */
  function attach(to: ComposerSheet, added: readonly File[]): boolean {
    const wanted = added.filter(file => !isTooSmall(file)).map(toAttachment)
    const limit = findTotalLimit(
      [...to.files, ...wanted].map(({ file }) => file),
      place.most,
    )
    const refused = place.ticket && findRefusedFile(wanted, place.ticket.whatsapp.api)
    const isWhole = wanted.length === added.length
    if (limit === null && !refused) changeSheet(appendFiles(to, wanted))
    if (limit !== null) setProblem(t('composer.tooLarge', { limit }))
    else if (refused) setProblem(t('composer.fileRefused', { name: refused }))
    else setProblem(isWhole ? null : t('composer.emptyFile'))
    return isWhole && limit === null && !refused
  }

  /** Its words at once. Sent off before its file is there they wait for it; left meanwhile, one is told that it lies nowhere. */
  async function takeAnswer(answer: QuickAnswer) {
    const values = words()
    const filled = values ? fillWords(answer.message, values) : answer.message
    marked.current = listBlanks(filled)[0]
    changeSheet({ ...sheet, text: filled })
    field.current?.focus()
    coming.current = null
    if (!answer.mediaUrl) return
    const own = { isSent: false }
    coming.current = own
    const file = await fetchAnswerFile(answer.mediaUrl, answer.mediaName)
    if (coming.current !== own) return
    coming.current = null
    if (!file || !latest.current) {
      setProblem(null)
      return void toast.error(t('composer.answerFileFailed'))
    }
    const isSent = own.isSent
    isDue.current = attach(latest.current, [file]) && isSent
  }

  return {
    text,
    setText,
    sheet,
    changeSheet,
    addFiles,
    target,
    clearTarget: () => (editing ? endEdit() : clearTarget(lane)),
    editing: editing !== null,
    comment,
    onlyComments,
    signing,
    setSigning(on: boolean) {
      sign(on)
      keepSigning(on)
    },
    blocked,
    anything,
    sendable,
    problem: trouble,
    length,
    send,
    sendVoice,
    words,
    insert(piece: string) {
      if (field.current) insertPiece(field.current, piece)
    },
    takeAnswer: (answer: QuickAnswer) => void takeAnswer(answer),
    begin(prefix: string) {
      setText(prefix)
      field.current?.focus()
    },
    toggleComment() {
      if (sheet.files.length > 0) return setProblem(t('composer.commentOnFile'))
      setText(comment ? stripCommentPrefix(text) : `-- ${text}`)
      field.current?.focus()
    },
  }
}
