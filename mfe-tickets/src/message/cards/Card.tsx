// Messages that are more than words and files, each kind with its drawing.
import type { Message } from '@balcao/contract'
import './texts.ts'
import { parseTemplateMessage } from '@balcao/contract/messages/message-bodies'
import { Notice } from '../Notice.tsx'
import { Actions } from './Actions.tsx'
import { ContactCards } from './ContactCards.tsx'
import { Event } from './Event.tsx'
import { Form } from './Form.tsx'
import { LinkCard } from './LinkCard.tsx'
import { Location } from './Location.tsx'
import { Order } from './Order.tsx'
import { Payment } from './Payment.tsx'
import { Poll } from './Poll.tsx'
import { Product } from './Product.tsx'

export default function Card({ message }: { readonly message: Message }) {
  const { card, link } = message.details ?? {}
  switch (card?.kind) {
    case undefined:
      return link ? <LinkCard link={link} /> : <ByType message={message} />
    case 'actions':
      return <Actions card={card} message={message} />
    case 'order':
      return <Order card={card} />
    case 'product':
      return <Product card={card} message={message} />
    case 'payment':
      return <Payment card={card} message={message} />
    case 'event':
      return <Event card={card} />
    case 'poll':
      return <Poll card={card} />
    case 'form':
      return <Form card={card} />
    // One that a newer server tells of is none this page knows.
    default:
      return <Notice message={message} />
  }
}

/** Those whose body is all there is, and templates. */
function ByType({ message }: { readonly message: Message }) {
  switch (message.mediaType) {
    case 'location':
      return <Location message={message} />
    case 'template':
      return <Actions {...parseTemplateMessage(message.templateData, message.body)} message={message} />
    default:
      return <ContactCards message={message} />
  }
}
