"""Every sentence of the page, in Danish and English: one table, Danish first.

Reasons of payments and proofs of findings come from the tracker in the same two languages; here is only
what the page itself says.
"""

LANGUAGES = ("da", "en")

TEXTS: dict[str, tuple[str, str]] = {
    # the page's frame
    "title": ("Tarokbordet", "Tarok Table"),
    "skip": ("Spring til bordet", "Skip to the table"),
    "language": ("Sprog", "Language"),
    "menu": ("Mere", "More"),
    "to_table": ("Til bordet", "To the table"),
    "close_dialog": ("Luk", "Close"),
    "connection_lost": (
        "Ingen forbindelse til bordets computer. Siden prøver igen af sig selv; intet er gået tabt.",
        "No connection to the table's computer. The page keeps trying by itself; nothing is lost.",
    ),
    "offline": (
        "Computeren svarede ikke. Se på bordet, om det blev skrevet ind, før du prøver igen.",
        "The computer did not answer. See on the table whether it was entered before you try again.",
    ),
    "no_script": (
        "Uden JavaScript opdaterer siden sig selv hvert femte sekund.",
        "Without JavaScript the page reloads itself every five seconds.",
    ),
    "source_link": ("kildekode og licens", "source and licence"),
    "source_intro": (
        "Programmet er frit: enhver, der bruger det, må se, ændre og dele det efter AGPL-3.0, eller en senere "
        "udgave af den licens. Her er kildekoden til netop den udgave, der kører.",
        "The program is free: everybody who uses it may read, change and share it under the AGPL-3.0, or a later "
        "version of that licence. Here is the source of the very version that runs.",
    ),
    "source_download": ("Hent kildekoden (zip)", "Download the source (zip)"),
    "source_licence": ("Læs licensen", "Read the licence"),
    # status line
    "hand": ("Hånd {number}", "Hand {number}"),
    "trick_of": ("stik {number} af 25", "trick {number} of 25"),
    "no_evening": ("Ingen aften er åbnet", "No evening is open"),
    "no_hand": ("Venter på næste hånd", "Waiting for the next hand"),
    "hand_complete": ("Hånden er spillet", "The hand is over"),
    "hand_abandoned": ("Hånden er afbrudt", "The hand was abandoned"),
    "evening_closed": ("Aftenen er gjort op", "The evening is settled"),
    "camera_seeing": ("Kameraet ser med", "The camera is watching"),
    "camera_waiting": (
        "Kameraet venter på, at en aften åbnes",
        "The camera waits for an evening to be opened",
    ),
    "camera_unplaced": (
        "Kameraet venter på, at alle får en plads",
        "The camera waits until everybody has a place",
    ),
    "camera_teaching": (
        "Et kortspil vises; bordet læses ikke imens",
        "A deck is being taught; the table is not read meanwhile",
    ),
    "camera_starting": ("Kameraet åbnes", "The camera is opening"),
    "camera_none": ("Uden kamera", "No camera"),
    "camera_ended": ("Optagelsen er slut", "The recording has ended"),
    "camera_trouble": ("Kameraet svigter", "Camera trouble"),
    "camera_reopens": (
        "Kameraet åbnes igen af sig selv. Kort kan imens skrives ind på siden.",
        "It is reopened by itself. Meanwhile cards can be entered on the page.",
    ),
    "demo_note": (
        "Demo: alle kort læses af kameraet i en optagelse. Meldinger, bøder og opgørelse ser et kamera ikke; "
        "dem har folk skrevet ind, og de er mærket ✎.",
        "Demo: every card is read by the camera from a recording. Declarations, fines and the settling are "
        "not seen by a camera; people entered them, and they are marked ✎.",
    ),
    "by_hand": ("skrevet ind med hånden", "entered by hand"),
    # the table
    "table": ("Bordet", "The table"),
    "dealer": ("kortgiver", "dealer"),
    "dealer_letter": ("G", "D"),
    "to_play": ("har turen", "to play"),
    "to_lead": ("spiller ud", "to lead"),
    "sits_out": ("sidder over", "sits out"),
    "tricks_one": ("{count} stik", "{count} trick"),
    "tricks": ("{count} stik", "{count} tricks"),
    "king_cup": ("Kongekop", "King pot"),
    "pagat_cup": ("Pagatkop", "Pagat pot"),
    "played_by": ("{card}, spillet af {player}", "{card}, played by {player}"),
    "correct_hint": ("tryk for at rette", "tap to put right"),
    "doubtful": ("tvivlsom aflæsning", "doubtful reading"),
    "flagged": ("påtale", "flagged"),
    "winning": ("stikker", "winning"),
    "fool_named": ("Skusen er {suit}", "The fool is {suit}"),
    "fool_unnamed": ("Skusen har intet navn endnu", "The fool has no name yet"),
    "tout_announced": ("{player} har meldt tout", "{player} announced a tout"),
    "last_trick": ("Forrige stik til {player}", "Last trick to {player}"),
    "declare_note": ("Meldinger, kortgiver først", "Declarations, dealer first"),
    "start_note": ("Kortene gives", "The cards are dealt"),
    "start_note_more": (
        "{player} giver. Hånden begynder af sig selv, når kameraet ser det første kort.",
        "{player} deals. The hand starts by itself when the camera sees the first card.",
    ),
    "no_declarations": ("Ingen meldinger er skrevet ind", "No declarations entered"),
    # actions
    "act_start": ("Begynd hånd", "Start hand"),
    "act_play": ("Spillet kort", "Card played"),
    "act_declare": ("Melding", "Declaration"),
    "act_fool": ("Skusen", "The fool"),
    "act_fine": ("Bøde", "Fine"),
    "act_more": ("Andet", "Other"),
    "act_undo": ("Fortryd", "Undo"),
    "act_close": ("Gør aftenen op", "Settle the evening"),
    "act_open": ("Ny aften", "New evening"),
    # notices
    "notices": ("Spørgsmål og påtaler", "Questions and flags"),
    "question_doubt": ("Hvilket kort lagde {player}?", "Which card did {player} play?"),
    "question_doubt_more": (
        "{where}. Kameraet læste {card}, men er i tvivl. Spillet går videre imens.",
        "{where}. The camera read {card} but is in doubt. Play goes on meanwhile.",
    ),
    "question_gap": ("Gik kameraet glip af noget?", "Did the camera miss anything?"),
    "question_gap_more": (
        "Kameraet så intet en tid i {where}. Blev der spillet kort imens? Før det er besvaret, påtales ingen "
        "for det, der fulgte.",
        "The camera saw nothing for a while in {where}. Were cards played meanwhile? Until this is answered "
        "nobody is flagged for what followed.",
    ),
    "gap_enter": ("Skriv kortene ind", "Enter the cards"),
    "gap_settled": ("Der mangler intet", "Nothing is missing"),
    "booked": ("bogført", "booked"),
    "another_card": ("Et andet kort", "Another card"),
    "not_a_play": ("Ikke spillet", "Not played"),
    "settle": ("Ret", "Put right"),
    "alert_title": ("Hvad skete der?", "What happened?"),
    "untaken": (
        "Noget gik galt i programmet, så det, kameraet så, er ikke talt med. Se efter, og skriv det ind, der mangler.",
        "Something went wrong in the program, and what the camera saw is not counted. See what is missing and "
        "enter it.",
    ),
    "alert_done": ("Det er ordnet", "It is settled"),
    "edit_uncounted": (
        "Kortet er læst, men tælles ikke med, før det er rettet.",
        "The card was read, but is not counted until it is put right.",
    ),
    "flag_title": ("Påtale", "Flag"),
    "unsure_title": ("Uafklaret", "Unsettled"),
    "unsure_reading": (
        "Det hviler på en tvivlsom aflæsning. Svar på spørgsmålet; indtil da er ingen påtalt.",
        "This rests on a doubtful reading. Answer the question; until then nobody is flagged.",
    ),
    "unsure_gap": (
        "Der kan mangle kort fra den tid, hvor kameraet intet så. Svar på spørgsmålet; indtil da er ingen "
        "påtalt.",
        "Cards may be missing from when the camera saw nothing. Answer the question; until then nobody is "
        "flagged.",
    ),
    "unsure_alert": (
        "Der er set noget, som ikke kan passe. Ret det først; indtil da er ingen påtalt.",
        "Something was seen that cannot be so. Put it right first; until then nobody is flagged.",
    ),
    "more_questions": ("{count} spørgsmål mere", "{count} more questions"),
    "proof_offence": ("fejlen, stik {trick}", "the offence, trick {trick}"),
    "proof_shown": ("beviset", "the proof"),
    "proof_missing": ("Der er intet billede af det kort.", "There is no picture of that card."),
    "fine_proposal": (
        "Forslag: {category}, {amount} i hver kop. Bordet afgør det.",
        "Proposal: {category}, {amount} to each pot. The table decides.",
    ),
    "fine_proposal_free": ("Forslag: {category}, ingen bøde.", "Proposal: {category}, no fine."),
    "fine_confirm": ("Giv bøden …", "Book the fine …"),
    "fine_none": ("Ingen bøde", "No fine"),
    "fine_booked": ("Bøden er givet.", "The fine is booked."),
    "fine_let_pass": ("Afgjort uden bøde.", "Settled without a fine."),
    "flags_open": ("Påtaler, der ikke er afgjort:", "Flags that are not settled:"),
    "hand_flags": ("hånd {hand} ({count})", "hand {hand} ({count})"),
    "questions_open": ("Ubesvarede spørgsmål: {count}.", "Questions not answered: {count}."),
    # payments
    "payments": ("Betalinger", "Payments"),
    "no_payments": ("Ingen betalinger endnu.", "No payments yet."),
    "whole_ledger": ("Hele regnskabet", "The whole ledger"),
    "hand_trick": ("hånd {hand}, stik {trick}", "hand {hand}, trick {trick}"),
    "hand_only": ("hånd {hand}", "hand {hand}"),
    "evening": ("aftenen", "the evening"),
    "ledger": ("Regnskab", "Ledger"),
    "ledger_intro": (
        "Hver betaling flytter jetoner. Spillernes jetoner og de to kopper giver tilsammen altid 0.",
        "Every payment moves chips. The players' chips and the two pots always sum to 0.",
    ),
    "from": ("Fra", "From"),
    "to": ("Til", "To"),
    "why": ("Hvorfor", "Why"),
    "chips": ("Jetoner", "Chips"),
    "place": ("Hvornår", "When"),
    "balance": ("Stilling", "Balance"),
    # camera
    "camera": ("Kameraet", "The camera"),
    "camera_alt": (
        "Kameraets billede af bordet med de genkendte kort tegnet ind",
        "The camera's picture of the table with the recognised cards drawn in",
    ),
    "camera_no_picture": ("Intet billede endnu.", "No picture yet."),
    "health": (
        "{frames_per_s} billeder/s · {latency_ms} ms om et billede · skarphed {sharpness} · lys {light} % · "
        "{cards} kort i syne",
        "{frames_per_s} frames/s · {latency_ms} ms a frame · sharpness {sharpness} · light {light} % · "
        "{cards} cards in view",
    ),
    "health_view": (
        "kort {card_px} px høje · kameraet hælder {tilt_deg}°",
        "cards {card_px} px high · camera leans {tilt_deg}°",
    ),
    "advice_far": (
        "Kameraet er for langt væk: kortene er {card_px} px høje i billedet, og mindst 80 skal til.",
        "The camera is too far away: cards are {card_px} px high in the picture, at least 80 are needed.",
    ),
    "advice_leaning": (
        "Kameraet ser for skråt på bordet: det hælder {tilt_deg}°. Højst 35° fra lige ovenfra er godt.",
        "The camera looks at the table too much from the side: it leans {tilt_deg}°. At most 35° from "
        "straight above is good.",
    ),
    "advice_blurred": (
        "Kortene er uskarpe i billedet. Stil kameraet skarpt, og tør linsen af.",
        "The cards are out of focus. Focus the camera, and wipe its lens.",
    ),
    "advice_blocked": (
        "Kameraet ser ikke bordet: er linsen dækket?",
        "The camera does not see the table: is the lens covered?",
    ),
    "advice_dark": ("Der er for mørkt. Tænd mere lys over bordet.", "It is too dark. Turn on more light."),
    "advice_moved": (
        "Kameraet er flyttet. Lad det stå stille; bordet læses videre, som det ses nu.",
        "The camera was moved. Leave it still; the table is read on as it is seen now.",
    ),
    "advice_light": (
        "Lyset over bordet har ændret sig. Undgå genskin på kortene.",
        "The light over the table has changed. Keep its glare off the cards.",
    ),
    "advice_slow": (
        "Computeren har travlt; luk andre programmer.",
        "The computer is busy; close other programs.",
    ),
    "problem_source": ("Kameraet kan ikke åbnes.", "The camera cannot be opened."),
    "problem_recording": ("Optagelsen kan ikke læses til ende.", "The recording cannot be read to its end."),
    "problem_lost": (
        "Kameraet giver ingen nye billeder; sidder stikket i?",
        "The camera gives no new pictures; is it plugged in?",
    ),
    "problem_stopped": (
        "Ingen ser på kameraet længere; start programmet igen.",
        "Nobody watches the camera any more; start the program again.",
    ),
    "problem_disk": (
        "Aftenen kan ikke gemmes lige nu; det prøves igen, og intet smides væk.",
        "The evening cannot be saved just now; it is tried again, and nothing is thrown away.",
    ),
    # decks
    "decks": ("Kortspil", "Decks"),
    "decks_intro": (
        "Et spil kort, kameraet har set alle kort af, læses sikrere. Vælg det, der er på bordet.",
        "A deck whose cards the camera was shown is read more surely. Choose the one on the table.",
    ),
    "decks_untaught": ("Et andet spil", "Another deck"),
    "decks_known": ("{known} af {all} kort", "{known} of {all} cards"),
    "decks_use": ("Brug", "Use"),
    "decks_used": ("på bordet", "on the table"),
    "decks_forget": ("Glem", "Forget"),
    "decks_teach": ("Lær et spil at kende", "Teach a deck"),
    "decks_teach_intro": (
        "Vis kortene ét ad gangen i vilkårlig orden, gerne oven på hinanden. Hvert gemmes straks, så der kan "
        "holdes pause. Imens læses bordet ikke; bagefter er spillet valgt.",
        "Show the cards one at a time in any order, one on top of the other if you like. Each is saved at "
        "once, so you may pause. Meanwhile the table is not read; afterwards the deck is chosen.",
    ),
    "decks_name": ("Spillets navn", "Name of the deck"),
    "decks_begin": ("Begynd", "Begin"),
    "decks_go_on": ("Fortsæt med {name}", "Go on with {name}"),
    "decks_no_camera": (
        "Der er intet kamera at vise kortene til.",
        "There is no camera to show the cards to.",
    ),
    "decks_bad_name": (
        "Et spils navn er bogstaver, tal, mellemrum og streger, højst 40.",
        "A deck's name is letters, digits, spaces and dashes, 40 at most.",
    ),
    "decks_gone": ("Det spil er der ikke.", "There is no such deck."),
    "decks_not_teaching": ("Intet spil er ved at blive vist.", "No deck is being taught."),
    "decks_not_saved": (
        "Kortet blev ikke gemt. Vis det igen.",
        "The card was not saved. Show it again.",
    ),
    "teach_title": ("Vis kortene i {name}", "Show the cards of {name}"),
    "teach_progress": ("{known} af {all}.", "{known} of {all}."),
    "teach_missing": ("Mangler endnu:", "Still missing:"),
    "teach_seen": ("Kortet, som kameraet ser det", "The card as the camera sees it"),
    "teach_guess": ("Er det {card}?", "Is this {card}?"),
    "teach_doubtful": ("Hvilket kort er det?", "Which card is this?"),
    "teach_skip": ("Spring over, og vis det igen", "Leave it out and show it again"),
    "teach_other": ("Et andet kort", "Another card"),
    "teach_show": (
        "Læg et kort frit på bordet, og lad det ligge stille.",
        "Lay a card on the table by itself and leave it still.",
    ),
    "teach_reading": (
        "Det, der er vist før, læses ind. Er programmet fornyet, læses kortene på ny; intet er gået tabt.",
        "What was shown before is being read in. If the program is a new one the cards are read anew; nothing "
        "is lost.",
    ),
    "teach_undo": ("Det sidste var ikke {card}: glem det", "The last one was not {card}: forget it"),
    "decks_nothing": ("Der er intet at glemme.", "There is nothing to forget."),
    "teach_failed": (
        "Programmet kan ikke gå videre med at lære kortene; kameraet er tilbage ved bordet. Det lærte er gemt.",
        "The program cannot go on with teaching; the camera is back at the table. What was taught is kept.",
    ),
    "teach_complete": ("Alle kort er kendt.", "All cards are known."),
    "teach_stop": ("Hold op; det lærte er gemt", "Stop; what was taught is kept"),
    # history
    "history": ("Hånden stik for stik", "The hand trick by trick"),
    "trick": ("Stik", "Trick"),
    "winner": ("Taget af", "Taken by"),
    "no_tricks": ("Intet kort er spillet endnu.", "No card has been played yet."),
    "led": ("ud", "led"),
    "declarations": ("Meldinger", "Declarations"),
    "points": ("Point", "Points"),
    "earlier_hands": ("Tidligere hænder", "Earlier hands"),
    # the play editor
    "edit_title": ("{player}: {card}", "{player}: {card}"),
    "edit_where": ("Stik {trick}, spil {play} i hånden.", "Trick {trick}, play {play} of the hand."),
    "edit_seen": ("Kameraets billede", "The camera's picture"),
    "edit_card": ("Det var et andet kort", "It was another card"),
    "edit_player": ("Det var en anden spiller", "It was another player"),
    "edit_named": ("Skusen blev kaldt", "The fool was named"),
    "edit_remove_do": ("Fjern kortet", "Remove the card"),
    "edit_insert_do": ("Indsæt et kort før", "Insert a card before"),
    "insert_title": ("Indsæt et kort før {card}", "Insert a card before {card}"),
    "played_dim": (
        "Kort, der allerede er spillet i hånden, er afblegede.",
        "Cards already played in this hand are faded.",
    ),
    "player": ("Spiller", "Player"),
    "card": ("Kort", "Card"),
    "suit": ("Farve", "Suit"),
    # other dialogs
    "play_title": ("Spillet kort", "Card played"),
    "play_intro": ("Vælg spilleren og tryk på kortet.", "Choose the player and tap the card."),
    "declare_title": ("Melding", "Declaration"),
    "declare_who": ("Hvem melder?", "Who declares?"),
    "declare_pass": ("Pas", "Pass"),
    "declare_do": ("Skriv meldingen", "Enter the declaration"),
    "declare_intro": (
        "Det, der ikke er valgt, er ikke meldt. Vælges intet, er det pas. En ny melding afløser den gamle.",
        "What is not chosen is not declared. Nothing chosen is a pass. A new one replaces the player's old.",
    ),
    "none": ("–", "–"),
    "trumps": ("Tarokker", "Trumps"),
    "with_pagat": ("med pagaten", "with the pagat"),
    "matadors": ("Matadorer", "Matadors"),
    "kings": ("Konger", "Kings"),
    "cavallerie": ("Billeder i {suit}", "Cavallerie in {suit}"),
    "rank_R": ("konge", "king"),
    "rank_D": ("dame", "queen"),
    "rank_C": ("kaval", "knight"),
    "rank_V": ("knægt", "jack"),
    "half_without": ("halve uden {missing}", "half, without the {missing}"),
    "full": ("fulde", "full"),
    "abundant": ("sprøjtefulde", "abundant"),
    "fool_title": ("Skusen", "The fool"),
    "fool_name_head": ("Navngiv skusen", "Name the fool"),
    "fool_name_do": ("Skriv navnet", "Enter the name"),
    "fool_call_head": ("Kald på skusen", "Call for the fool"),
    "fool_call_intro": (
        "I stik 23 kan en spiller, der ikke har skusen, kalde på den.",
        "In trick 23 a player who does not hold the fool may call for it.",
    ),
    "fool_call_do": ("{player} kalder", "{player} calls"),
    "more_title": ("Andet ved bordet", "Other things at the table"),
    "tout_head": ("Meld tout", "Announce a tout"),
    "tout_do": ("{player} melder tout", "{player} announces a tout"),
    "take_back_head": ("Kort taget tilbage", "Cards taken back"),
    "take_back_do": ("De sidste {count} kort blev taget tilbage", "The last {count} cards were taken back"),
    "take_back_one": ("Det sidste kort blev taget tilbage", "The last card was taken back"),
    "skat_head": ("Skatten", "The skat"),
    "skat_intro": (
        "De tre kort, kortgiveren lagde, når de er vist. Vælg præcis tre.",
        "The dealer's three discarded cards, once shown. Choose exactly three.",
    ),
    "skat_do": ("Skriv skatten", "Enter the skat"),
    "dealer_head": ("En anden gav", "Another player dealt"),
    "redeal_head": ("Giv om", "Deal again"),
    "redeal_misdeal": ("Fejlgivning ({amount} i hver kop)", "Misdeal ({amount} to each pot)"),
    "redeal_no_trumps": ("Ingen tarokker (gratis)", "No trumps (free)"),
    "abandon_head": ("Afbryd hånden", "Abandon the hand"),
    "abandon_intro": (
        "Betalinger, der er gjort, står; intet sidste stik og ingen optælling.",
        "Payments made stand; no last trick and no count.",
    ),
    "abandon_do": ("Afbryd hånden", "Abandon the hand"),
    "join_head": ("En spiller kommer til", "A player joins"),
    "join_do": ("Sæt til bords", "Seat the player"),
    "join_name": ("Navn", "Name"),
    "join_seat": ("Sidder til højre for", "Sits to the right of"),
    "join_intro": (
        "Mellem to hænder. Den nye lægger en tredjedel af hver kop i den, ved et bord med fire en fjerdedel.",
        "Between two hands. The new player adds a third of each pot to it, at a table of four a fourth.",
    ),
    "join_full": ("Bordet er fuldt.", "The table is full."),
    "leave_head": ("En spiller går", "A player leaves"),
    "leave_intro": (
        "Mellem to hænder. Den, der går, får sin del af hver kop; regnskabet huskes, hvis han kommer igen.",
        "Between two hands. Who leaves gets a share of each pot; the balance is kept for a return.",
    ),
    "leave_do": ("{player} går", "{player} leaves"),
    "reseat_later": (
        "Midt i en hånd kan ingen komme til eller gå.",
        "Nobody can join or leave during a hand.",
    ),
    "adjust_head": ("Regulering", "Adjustment"),
    "adjust_intro": (
        "Jetoner, som I flytter efter aftale, når ingen regel siger noget. Skriv hvorfor.",
        "Chips that you agree to move where no rule says anything. Say why.",
    ),
    "adjust_from": ("Fra", "From"),
    "adjust_to": ("Til", "To"),
    "adjust_amount": ("Jetoner (går op i 5)", "Chips (a multiple of 5)"),
    "adjust_do": ("Flyt jetonerne", "Move the chips"),
    "fine_title": ("Bøde", "Fine"),
    "fine_category": ("Hvad slags", "Category"),
    "fine_reason": ("Hvorfor", "Reason"),
    "fine_do": ("Giv bøden", "Book the fine"),
    "fine_intro": (
        "Programmet foreslår, bordet afgør. Intet betales, før I bekræfter.",
        "The program proposes, the table decides. Nothing is paid until you confirm.",
    ),
    "fine_per_pot": ("{amount} i hver kop", "{amount} to each pot"),
    "fine_free": ("ingen bøde", "no fine"),
    "fine_returns_all": ("alle meldinger betales tilbage", "all declarations are paid back"),
    "fine_bars_ultimo": ("ingen ultimo", "no ultimo"),
    "fine_declarations": ("Meldinger, der betales tilbage", "Declarations paid back"),
    "category_superficial": ("overfladisk", "superficial"),
    "category_minor": ("mindre", "minor"),
    "category_major": ("større", "major"),
    "category_misdeclaration": ("forkert melding", "misdeclaration"),
    "category_irrecoverable": ("uoprettelig", "irrecoverable"),
    "start_title": ("Begynd en hånd", "Start a hand"),
    "start_dealer": ("Kortgiver", "Dealer"),
    "start_do": ("Begynd hånden", "Start the hand"),
    "start_unfinished": (
        "Hånden i gang er ikke færdig; den afbrydes, hvis en ny begynder.",
        "The hand in progress is not finished; starting another abandons it.",
    ),
    "close_title": ("Gør aftenen op", "Settle the evening"),
    "close_intro": (
        "Begge kopper deles lige mellem alle ved bordet. Det kan fortrydes.",
        "Both pots are shared evenly by all seated. It can be undone.",
    ),
    "close_unfinished": (
        "Hånden i gang er ikke færdig; den får intet sidste stik og ingen optælling.",
        "The hand in progress is not finished; it gets no last trick and no count.",
    ),
    "close_do": ("Del kopperne og slut", "Share the pots and finish"),
    "open_title": ("Åbn en ny aften", "Open a new evening"),
    "open_intro": (
        "Skriv hver spiller ved den kant af billedet, hvor han sidder; en kant må være tom. Den, der sidder "
        "over, får også sin plads. Spillet går mod uret. I tvivl? Hold en hånd ind over bordet, og se, fra "
        "hvilken kant den kommer.",
        "Enter each player at the edge of the picture where he sits; an edge may be empty. One who sits out "
        "has his place too. Play runs counter-clockwise. In doubt? Hold a hand over the table and see from "
        "which edge it comes.",
    ),
    "open_beside": ("sidder til højre for den, der sidder", "sits to the right of the one who sits at the"),
    "seats": ("Pladser", "Seats"),
    "seats_intro": (
        "Hvem sidder ved hvilken kant af kameraets billede? Ved fem spillere deles to om en kant. I tvivl? "
        "Hold en hånd ind over bordet, og se, fra hvilken kant den kommer.",
        "Who sits at which edge of the camera's picture? At a table of five, two share an edge. In doubt? "
        "Hold a hand over the table and see from which edge it comes.",
    ),
    "seats_picture": ("Kameraets billede af bordet", "The camera's picture of the table"),
    "seats_do": ("Sæt dem sådan", "Seat them so"),
    "seats_change": ("Vis og ret pladserne", "See and change the seats"),
    "seats_done": ("Pladserne er rettet.", "The seats are changed."),
    "seats_turn": ("Er kameraet drejet?", "Was the camera turned?"),
    "seats_turn_intro": (
        "Så er alle rykket lige langt rundt langs billedets kanter.",
        "Then all have moved equally far round the edges of the picture.",
    ),
    "seats_turn_1": ("En kant mod uret", "One edge counter-clockwise"),
    "seats_turn_3": ("En kant med uret", "One edge clockwise"),
    "seats_turn_2": ("Til den modsatte kant", "To the opposite edge"),
    "seats_missing": (
        "Hvor i billedet sidder {names}?",
        "Where in the picture is the seat of {names}?",
    ),
    "seats_missing_more": (
        "Kameraet læser ikke kortene, før alle har en plads.",
        "The camera does not read the cards before everybody has a place.",
    ),
    # the host
    "host": ("Værtens valg", "The host's choices"),
    "host_corrections": ("Må rettede kort bruges til at lære af?", "May corrected cards be learnt from?"),
    "host_corrections_intro": (
        "Når en aflæsning rettes, lægges billedet af kortet til side på denne computer, med det rigtige navn. "
        "Kun billedet af kortet gemmes, og intet sendes nogen steder hen.",
        "When a reading is put right, the picture of the card is set aside on this computer under its right "
        "name. Only the picture of the card is kept, and nothing is sent anywhere.",
    ),
    "host_yes": ("Ja, læg dem til side", "Yes, set them aside"),
    "host_no": ("Nej", "No"),
    "host_keeps": ("Rettede kort lægges til side fra nu af.", "Corrected cards are set aside from now on."),
    "host_keeps_not": (
        "Rettede kort lægges ikke til side. Det, der ligger der, bliver.",
        "Corrected cards are not set aside. What is there stays.",
    ),
    "host_corrections_kept": (
        "{count} billeder er lagt til side. De bruges med",
        "{count} pictures are set aside. They are used by",
    ),
    "host_pictures": ("Aftenens billeder", "The evening's pictures"),
    "host_pictures_intro": (
        "Hvert spillet kort har sit billede som bevis. De ligger kun på denne computer og slettes, når aftenen "
        "er gjort op og programmet slutter, medmindre de gemmes.",
        "Each card played has its picture as evidence. They are on this computer alone, and are deleted when "
        "the evening is settled and the program ends, unless they are saved.",
    ),
    "host_save": ("Gem aftenen og dens {count} billeder", "Save the evening and its {count} pictures"),
    "host_saved": ("Gemt med {count} billeder i {folder}.", "Saved with {count} pictures in {folder}."),
    "close_save": (
        "Gem også aftenens {count} billeder; ellers slettes de",
        "Also save the evening's {count} pictures; else they are deleted",
    ),
    "edit_seen_at": ("Set kl. {time}.", "Seen at {time}."),
    "join_side": ("Sidder i billedet", "Sits in the picture"),
    "error_sides": (
        "Hver kant af billedet har én spiller; kun ved fem spillere deles to om en kant.",
        "Each edge of the picture has one player; only at a table of five do two share one.",
    ),
    "open_rules": ("Regler", "Rules"),
    "open_count": ("Optælling efter hver hånd", "Count after every hand"),
    "open_do": ("Åbn aftenen", "Open the evening"),
    "side_S": ("Nederst", "Bottom"),
    "side_E": ("Til højre", "Right"),
    "side_N": ("Øverst", "Top"),
    "side_W": ("Til venstre", "Left"),
    "side_X": ("Femte spiller", "Fifth player"),
    "dealer_first": ("Første kortgiver", "First dealer"),
    "undo_title": ("Fortryd", "Undo"),
    "undo_intro": ("Det sidste, der blev skrevet ind:", "The last thing entered:"),
    "undo_nothing": (
        "Intet er skrevet ind, som kan fortrydes.",
        "Nothing has been entered that can be undone.",
    ),
    "undo_do": ("Fortryd det", "Undo it"),
    # files
    "download": ("Hent aftenen (session-fil)", "Download the evening (session file)"),
    "audit": ("Revision", "Audit"),
    "audit_intro": (
        "Aftenen spillet igennem igen fra den første hændelse.",
        "The evening replayed from its first event.",
    ),
    "audit_waiting": (
        "Filerne har kortene, som de er bogført: svar først på bordet.",
        "The files hold the cards as booked: answer at the table first.",
    ),
    "audit_none": ("Der er ingen aften at revidere.", "There is no evening to audit."),
    # what was entered, in words
    "did_play": ("{player} spillede {card}", "{player} played {card}"),
    "did_declare": ("{player} melder {what}", "{player} declares {what}"),
    "did_name": ("{player} kalder skusen {suit}", "{player} names the fool {suit}"),
    "did_call": ("{player} kalder på skusen", "{player} calls for the fool"),
    "did_tout": ("{player} melder tout", "{player} announces a tout"),
    "did_take_back": ("{count} kort taget tilbage", "{count} cards taken back"),
    "did_fine": ("{player} får bøde: {reason}", "{player} is fined: {reason}"),
    "did_let_pass": ("Ingen bøde til {player}: {reason}", "No fine for {player}: {reason}"),
    "did_skat": ("Skatten: {cards}", "The skat: {cards}"),
    "did_redeal_misdeal": ("Fejlgivning, der gives om", "Misdeal, dealt again"),
    "did_redeal_no_trumps": ("Ingen tarokker, der gives om", "No trumps, dealt again"),
    "did_join": ("{player} kommer til", "{player} joins"),
    "did_leave": ("{player} går", "{player} leaves"),
    "did_adjust": (
        "Regulering: {amount} fra {source} til {target} ({reason})",
        "Adjustment: {amount} from {source} to {target} ({reason})",
    ),
    "did_start": ("{player} giver", "{player} deals"),
    "did_start_next": ("Næste hånd gives", "The next hand is dealt"),
    "did_dealer": ("{player} gav hånden", "{player} dealt the hand"),
    "did_abandon": ("Hånden afbrudt", "Hand abandoned"),
    "did_close": ("Aftenen gjort op", "Evening settled"),
    "did_unwatched": ("Kameraet så intet en tid", "The camera saw nothing for a while"),
    "did_correct": ("Et kort rettet: {what}", "A play put right: {what}"),
    "did_remove": ("Et kort fjernet", "A play removed"),
    "did_insert": ("Et kort indsat: {card}", "A play inserted: {card}"),
    "did_retract": ("Et spørgsmål afgjort", "A question settled"),
    "did_open": ("Aftenen åbnet", "Evening opened"),
    "done": ("Skrevet ind.", "Entered."),
    "done_undone": ("Fortrudt.", "Undone."),
    "done_corrected": (
        "Rettet; alt efter det er regnet om.",
        "Put right; everything after it is recomputed.",
    ),
    # what goes wrong
    "error": ("Det gik ikke", "That did not work"),
    "error_stale": (
        "Siden er for gammel til at skrive herfra. Genindlæs den og prøv igen; intet er skrevet.",
        "This page is too old to enter from. Reload it and try again; nothing was entered.",
    ),
    "error_used": (
        "Intet er skrevet ind: herfra er der allerede sendt noget andet. Åbn siden igen, og prøv derfra.",
        "Nothing was entered: something else was sent from here before. Open the page again and try from there.",
    ),
    "error_foreign": (
        "Indtastningen kom fra en anden hjemmeside og er afvist; intet er skrevet.",
        "The entry came from another site and was refused; nothing was entered.",
    ),
    "error_not_found": ("Den side findes ikke.", "There is no such page."),
    "error_method": ("Den side tager ikke imod det.", "This page does not take that."),
    "error_too_big": (
        "Indtastningen er for stor; intet er skrevet.",
        "The entry is too large; nothing was entered.",
    ),
    "error_inside": (
        "Noget gik galt i programmet, og intet blev skrevet. Aftenen er gemt.",
        "Something went wrong inside the program, and nothing was entered. The evening is kept.",
    ),
    "error_no_evening": ("Åbn først en aften.", "Open an evening first."),
    "error_has_evening": (
        "Aftenen er allerede åben; gør den op først.",
        "An evening is open already; settle it first.",
    ),
    "error_no_hand": ("Begynd først en hånd.", "Start a hand first."),
    "error_field": ("Feltet »{field}« mangler.", "The field “{field}” is missing."),
    "error_player": ("Ingen ved bordet hedder »{value}«.", "Nobody at the table is called “{value}”."),
    "error_card": ("»{value}« er ikke et kort.", "“{value}” is not a card."),
    "error_suit": ("»{value}« er ikke en farve.", "“{value}” is not a suit."),
    "error_number": (
        "»{value}« er ikke et tal, der kan bruges her.",
        "“{value}” is not a number usable here.",
    ),
    "error_choice": ("»{value}« kan ikke vælges her.", "“{value}” cannot be chosen here."),
    "error_seq": ("Det spil findes ikke længere.", "That play no longer exists."),
    "error_three_cards": (
        "Skatten er præcis tre forskellige kort.",
        "The skat is exactly three different cards.",
    ),
    "error_answered": ("Spørgsmålet er allerede besvaret.", "The question has been answered already."),
    "error_flag": (
        "Den påtale står ikke længere, eller den er allerede afgjort.",
        "That flag no longer stands, or it is settled already.",
    ),
    "error_finding": (
        "Den påtale mod {player} står ikke længere, eller dens bøde er givet.",
        "That flag against {player} no longer stands, or its fine is booked.",
    ),
    "error_declaration": (
        "Det, der skal betales tilbage, har {player} ikke meldt; intet er skrevet.",
        "What is to be paid back was not declared by {player}; nothing was entered.",
    ),
    "error_seen": (
        "Siden arket blev åbnet, er der sket noget nyt. Luk det, se efter, og prøv igen; intet er skrevet.",
        "Something new happened since the sheet was opened. Close it, look, and try again; nothing was entered.",
    ),
    "error_undo": (
        "Det er allerede fortrudt, eller noget nyere er skrevet ind.",
        "It is undone already, or something newer was entered.",
    ),
    "error_seats": ("Skriv 3 til 5 forskellige navne.", "Enter 3 to 5 different names."),
    "error_name": (
        "Et navn er 1 til 24 tegn uden / og ikke »king« eller »pagat«.",
        "A name has 1 to 24 characters, no / among them, and is not “king” or “pagat”.",
    ),
    "error_refused": ("Det kan ikke ske nu: {reason}.", "That cannot happen now: {reason}."),
    "error_disk": (
        "Aftenen kan ikke gemmes ({reason}). Intet er skrevet.",
        "The evening cannot be saved ({reason}). Nothing was entered.",
    ),
    "error_listeners": (
        "For mange sider er åbne; denne henter selv nyt hvert par sekunder.",
        "Too many pages are open; this one asks for news every few seconds.",
    ),
}


def text(lang: str, key: str, **values: object) -> str:
    """The sentence `key` in `lang` ("da" or "en"), its places filled from `values`; KeyError if unknown."""
    sentence = TEXTS[key][LANGUAGES.index(lang)]
    return sentence.format(**values) if values else sentence
