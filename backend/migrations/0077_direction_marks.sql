-- Names from before marks of writing direction were taken out of what comes in: they turn the words beside them round.
UPDATE "contact" SET "name" = trim(regexp_replace("name", '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'))
WHERE "name" ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';
