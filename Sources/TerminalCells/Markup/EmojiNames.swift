/// The names by which pictures are typed: `:tada:` for 🎉.
///
/// These are the names that chat programs share, of the pictures that people use most. All are in the version of Unicode
/// whose widths are known here.
public enum EmojiNames {
    /// All names, in alphabetical order.
    public static let all: [String] = pictures.keys.sorted()

    /// Returns the picture of a name, for example `tada`; nil if there is none.
    public static func picture(of name: String) -> String? { pictures[name] }

    /// Returns the names that begin with some letters, in alphabetical order.
    public static func names(startingWith start: String) -> [String] { all.filter { $0.hasPrefix(start) } }

    /// The most characters of a name.
    static let longest = all.map(\.utf8.count).max() ?? 0

    private static let pictures: [String: String] = {
        let words = table.split { $0 == " " || $0 == "\n" }
        let pairs = stride(from: 0, to: words.count - 1, by: 2).map { (String(words[$0]), String(words[$0 + 1])) }
        return Dictionary(pairs) { first, _ in first }
    }()

    private static let table = """
        smile 😄 smiley 😃 grin 😁 grinning 😀 laughing 😆 joy 😂 rofl 🤣 sweat_smile 😅 slightly_smiling_face 🙂
        upside_down_face 🙃 wink 😉 blush 😊 innocent 😇 heart_eyes 😍 star_struck 🤩 kissing_heart 😘 yum 😋
        stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜 zany_face 🤪 hugs 🤗 thinking 🤔 zipper_mouth_face 🤐
        raised_eyebrow 🤨 neutral_face 😐 expressionless 😑 no_mouth 😶 smirk 😏 unamused 😒 roll_eyes 🙄 grimacing 😬
        relieved 😌 pensive 😔 sleepy 😪 sleeping 😴 mask 😷 nauseated_face 🤢 sneezing_face 🤧 hot_face 🥵 cold_face 🥶
        dizzy_face 😵 exploding_head 🤯 cowboy_hat_face 🤠 partying_face 🥳 sunglasses 😎 nerd_face 🤓 monocle_face 🧐
        confused 😕 worried 😟 slightly_frowning_face 🙁 open_mouth 😮 hushed 😯 astonished 😲 flushed 😳
        pleading_face 🥺 fearful 😨 cold_sweat 😰 cry 😢 sob 😭 scream 😱 confounded 😖 persevere 😣 disappointed 😞
        sweat 😓 weary 😩 tired_face 😫 yawning_face 🥱 triumph 😤 angry 😠 rage 😡 smiling_imp 😈 skull 💀 poop 💩
        clown_face 🤡 ghost 👻 alien 👽 robot 🤖 see_no_evil 🙈 hear_no_evil 🙉 speak_no_evil 🙊 wave 👋 ok_hand 👌
        crossed_fingers 🤞 metal 🤘 call_me_hand 🤙 point_left 👈 point_right 👉 point_up_2 👆 point_down 👇 +1 👍
        thumbsup 👍 -1 👎 thumbsdown 👎 fist 👊 clap 👏 raised_hands 🙌 open_hands 👐 handshake 🤝 pray 🙏 muscle 💪
        eyes 👀 brain 🧠 facepalm 🤦 shrug 🤷 raising_hand 🙋 bow 🙇 dancer 💃 runner 🏃 heart ❤ broken_heart 💔
        two_hearts 💕 sparkling_heart 💖 orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙 purple_heart 💜
        black_heart 🖤 100 💯 boom 💥 fire 🔥 sparkles ✨ star ⭐ star2 🌟 zap ⚡ snowflake ❄ sunny ☀ cloud ☁
        umbrella ☔ rainbow 🌈 rose 🌹 sunflower 🌻 evergreen_tree 🌲 cactus 🌵 four_leaf_clover 🍀 dog 🐶 cat 🐱
        fox_face 🦊 bear 🐻 panda_face 🐼 monkey 🐒 penguin 🐧 bird 🐦 turtle 🐢 snake 🐍 octopus 🐙 bug 🐛 bee 🐝
        butterfly 🦋 snail 🐌 whale 🐳 unicorn 🦄 apple 🍎 banana 🍌 strawberry 🍓 avocado 🥑 pizza 🍕 hamburger 🍔
        taco 🌮 sushi 🍣 ramen 🍜 cookie 🍪 cake 🍰 birthday 🎂 chocolate_bar 🍫 popcorn 🍿 coffee ☕ tea 🍵 beer 🍺
        beers 🍻 wine_glass 🍷 champagne 🍾 tada 🎉 gift 🎁 balloon 🎈 trophy 🏆 medal 🏅 soccer ⚽ basketball 🏀 dart 🎯
        game_die 🎲 guitar 🎸 art 🎨 rocket 🚀 airplane ✈ car 🚗 bike 🚲 train 🚆 house 🏠 computer 💻 phone 📱 bulb 💡
        wrench 🔧 hammer 🔨 gear ⚙ package 📦 memo 📝 book 📖 books 📚 pushpin 📌 paperclip 📎 link 🔗 mag 🔍 lock 🔒
        key 🔑 bell 🔔 no_bell 🔕 mega 📣 calendar 📅 hourglass ⌛ alarm_clock ⏰ moneybag 💰 email ✉ inbox_tray 📥
        white_check_mark ✅ heavy_check_mark ✔ x ❌ warning ⚠ question ❓ exclamation ❗ construction 🚧 no_entry ⛔
        rotating_light 🚨 recycle ♻ arrow_up ⬆ arrow_down ⬇ arrow_left ⬅ arrow_right ➡ zzz 💤 speech_balloon 💬
        thought_balloon 💭 crown 👑 gem 💎 bomb 💣 crystal_ball 🔮 checkered_flag 🏁 rainbow_flag 🌈 earth_africa 🌍
        """
}
