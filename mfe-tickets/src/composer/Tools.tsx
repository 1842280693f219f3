// The buttons under the field.
import { getCapabilities } from '@balcao/contract/connections/kinds'
import { hasKeyboard, listPossibleActions, useActionList } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Checkbox, IconButton, Menu, type MenuItem, useNarrowerThan } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import {
  CalendarClock,
  Camera,
  Contact,
  LayoutTemplate,
  ListChecks,
  Lock,
  Mic,
  Paperclip,
  PenLine,
  Plus,
  SendHorizontal,
  Smile,
  Sparkles,
  Type,
  Zap,
} from 'lucide-react'
import type { RefObject } from 'react'
import type { ComposerContext } from './composer-context.ts'
import type { Composer } from './use-composer.ts'
import { getSignature } from './wording.ts'

/** What is open over the composer, one at a time. */
export type ComposerPanel = 'emojis' | 'format' | 'record' | 'template' | 'contact' | 'assist'

interface ToolsProps {
  readonly place: ComposerContext
  readonly composer: Composer
  readonly panel: ComposerPanel | null
  readonly emojiButton: RefObject<HTMLButtonElement | null>
  readonly onPanel: (panel: ComposerPanel | null) => void
  readonly onSend: () => void
  readonly onAttach: () => void
  /** Takes a picture, where there is a camera at hand. */
  readonly onCamera: () => void
}

export function Tools({ place, composer, panel, emojiButton, onPanel, onSend, onAttach, onCamera }: ToolsProps) {
  const t = useTexts('tickets')
  const { ticket } = place
  const { user } = useSession()
  const phone = useNarrowerThan('phone')
  const { comment, onlyComments, editing, blocked } = composer
  const more = useMore(place, composer, onPanel, onCamera, phone)
  const schedule = useActionList().find(action => action.id === 'ticket.schedule')
  const toggle = (which: ComposerPanel) => onPanel(panel === which ? null : which)
  const signed = t('composer.sign', { name: getSignature(user?.name ?? '') })
  return (
    <div className="k-tools">
      {more.length > 0 && !editing && !onlyComments && (
        <Menu
          label={t('composer.more')}
          items={more}
          side="above"
          align="start"
          clear=".k-box"
          button={props => <IconButton {...props} icon={Plus} label={t('composer.more')} tooltipSide="above" />}
        />
      )}
      {/* A comment goes without files. */}
      {!editing && !comment && (
        <IconButton icon={Paperclip} label={t('composer.attach')} tooltipSide="above" onClick={onAttach} />
      )}
      <IconButton
        ref={emojiButton}
        icon={Smile}
        label={t('composer.emoji')}
        tooltipSide="above"
        pressed={panel === 'emojis'}
        // The second press of a double click, which may come before what the first one opens.
        onClick={({ detail }) => detail < 2 && toggle('emojis')}
      />
      <IconButton
        icon={Type}
        label={t('composer.formatting')}
        tooltipSide="above"
        pressed={panel === 'format'}
        onClick={() => toggle('format')}
      />
      {ticket && !editing && !onlyComments && (
        <>
          <IconButton
            icon={Zap}
            label={t('composer.quick')}
            shortcut="/"
            tooltipSide="above"
            onClick={() => composer.begin('/')}
          />
          <IconButton
            icon={Lock}
            label={t('composer.comment')}
            tooltipSide="above"
            pressed={comment}
            onClick={composer.toggleComment}
          />
        </>
      )}
      <span className="k-space" />
      {ticket && !phone && !onlyComments && (
        <Checkbox checked={composer.signing} onChange={composer.setSigning} className="k-sign">
          {signed}
        </Checkbox>
      )}
      {schedule && composer.anything && !editing && !comment && !phone && (
        <IconButton
          icon={CalendarClock}
          label={t('composer.schedule')}
          shortcut={schedule.shortcut}
          tooltipSide="above"
          onClick={() => void schedule.perform()}
        />
      )}
      {comment ? (
        <button type="button" className="k-send is-note" disabled={!composer.sendable} onClick={onSend}>
          {t('composer.commentSend')}
        </button>
      ) : !composer.anything && !editing && !blocked ? (
        <IconButton
          icon={Mic}
          label={t('composer.record')}
          tooltipSide="above"
          className="k-mic"
          // The second press of a double click on the button that sends, which stood here.
          onClick={({ detail }) => detail < 2 && onPanel('record')}
        />
      ) : (
        <button
          type="button"
          className="k-send"
          disabled={!composer.sendable}
          aria-label={t('composer.send')}
          onClick={onSend}
        >
          <SendHorizontal size={20} strokeWidth={1.6} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

/** What is done less often: cards, templates, messages for later; on phones the signature too. */
function useMore(
  place: ComposerContext,
  composer: Composer,
  onPanel: (panel: ComposerPanel) => void,
  onCamera: () => void,
  phone: boolean,
): MenuItem[] {
  const t = useTexts('tickets')
  const { user } = useSession()
  const actions = useActionList()
  const offer = (id: string, label: string, icon: MenuItem['icon']): MenuItem | false => {
    const isOffered = actions.some(action => action.id === id)
    const perform = () =>
      listPossibleActions()
        .find(action => action.id === id)
        ?.perform()
    return isOffered && { id, label, icon, onChoose: () => void perform() }
  }
  const camera = !hasKeyboard() &&
    !composer.comment && { id: 'camera', label: t('composer.camera'), icon: Camera, onChoose: onCamera }
  if (!place.ticket) return camera ? [camera] : []
  const items: (MenuItem | false | undefined)[] = [
    camera && { ...camera, disabled: composer.blocked },
    {
      id: 'contact',
      label: t('composer.contact'),
      icon: Contact,
      disabled: composer.blocked,
      onChoose: () => onPanel('contact'),
    },
    getCapabilities(place.ticket.whatsapp.api).templates && {
      id: 'template',
      label: t('composer.template'),
      icon: LayoutTemplate,
      onChoose: () => onPanel('template'),
    },
    offer('ticket.assist', t('composer.assist'), Sparkles),
    offer('ticket.choices', t('action.choices'), ListChecks),
    offer('ticket.schedule', t('composer.schedule'), CalendarClock),
    phone && {
      id: 'sign',
      label: t('composer.sign', { name: getSignature(user?.name ?? '') }),
      icon: PenLine,
      checked: composer.signing,
      onChoose: () => composer.setSigning(!composer.signing),
    },
  ]
  return items.filter(item => item !== false && item !== undefined)
}
