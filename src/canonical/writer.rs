//! A value as its canonical text, written once: the members of an object are put in order where they stand, when it is
//! complete.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use serde::Serialize;
use serde::ser::{self, Error as _};
use serde_json::Error;

/// The text of a value.
pub(super) fn text(value: &impl Serialize) -> Result<String, Error> {
    let mut writer = Writer { text: String::with_capacity(1024), members: Vec::new() };
    value.serialize(&mut writer)?;
    Ok(writer.text)
}

struct Writer {
    text: String,
    /// The members of the open objects, the innermost object's last.
    members: Vec<Member>,
}

/// Where a member stands.
#[derive(Clone, Copy)]
struct Member {
    start: usize,
    value: usize,
    end: usize,
}

impl Member {
    /// The name as it sorts: without the signs that JSON writes before some characters.
    fn name(self, text: &str) -> Cow<'_, str> {
        let quoted = &text[self.start..self.value - 1];
        match quoted.contains('\\') {
            false => Cow::Borrowed(&quoted[1..quoted.len() - 1]),
            true => Cow::Owned(serde_json::from_str(quoted).expect("the writer wrote a name")),
        }
    }
}

impl Writer {
    fn display(&mut self, value: impl Display) -> Result<(), Error> {
        write!(self.text, "{value}").map_err(Error::custom)
    }

    fn quoted(&mut self, text: &str) -> Result<(), Error> {
        match text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
            true => self.text.push_str(&serde_json::to_string(text)?),
            false => self.text.extend(["\"", text, "\""]),
        }
        Ok(())
    }

    fn open(&mut self, open: char, close: &'static str) -> Result<Compound<'_>, Error> {
        self.text.push(open);
        Ok(Compound { start: self.text.len(), before: self.members.len(), close, writer: self })
    }

    /// An object whose one member has the name of a variant.
    fn variant(&mut self, name: &'static str, open: char, close: &'static str) -> Result<Compound<'_>, Error> {
        self.text.push('{');
        self.quoted(name)?;
        self.text.push(':');
        self.open(open, close)
    }

    /// Puts the members from `before` on, which stand from `start` on, in order.
    fn sort(&mut self, start: usize, before: usize) {
        let members = &mut self.members[before..];
        members.sort_by(|one, other| one.name(&self.text).cmp(&other.name(&self.text)));
        let mut sorted = String::with_capacity(self.text.len() - start + members.len());
        for (index, member) in members.iter().enumerate() {
            sorted.extend([if index == 0 { "" } else { "," }, &self.text[member.start..member.end]]);
        }
        self.text.truncate(start);
        self.text.push_str(&sorted);
        self.members.truncate(before);
    }
}

/// An open list or object.
struct Compound<'w> {
    writer: &'w mut Writer,
    /// Where its first part stands.
    start: usize,
    /// How many members there were before it.
    before: usize,
    close: &'static str,
}

impl Compound<'_> {
    fn item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        if self.writer.text.len() > self.start {
            self.writer.text.push(',');
        }
        value.serialize(&mut *self.writer)
    }

    /// A name in quotes, also where it is a number.
    fn name<T: ?Sized + Serialize>(&mut self, name: &T) -> Result<(), Error> {
        let start = self.writer.text.len();
        name.serialize(&mut *self.writer)?;
        match self.writer.text.as_bytes().get(start) {
            Some(b'"') => {}
            Some(b'{' | b'[') | None => return Err(Error::custom("a name is a text")),
            Some(_) => {
                self.writer.text.insert(start, '"');
                self.writer.text.push('"');
            }
        }
        self.writer.text.push(':');
        let value = self.writer.text.len();
        self.writer.members.push(Member { start, value, end: value });
        Ok(())
    }

    /// The value of the last name; a null one is as good as none.
    fn member<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.writer)?;
        let Writer { text, members } = &mut *self.writer;
        let Some(member) = members.last_mut() else { return Ok(()) };
        match &text[member.value..] {
            "null" => {
                text.truncate(member.start);
                members.pop();
            }
            _ => member.end = text.len(),
        }
        Ok(())
    }

    fn close(self) -> Result<(), Error> {
        if self.writer.members.len() > self.before {
            self.writer.sort(self.start, self.before);
        }
        self.writer.text.push_str(self.close);
        Ok(())
    }
}

impl<'w> ser::Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'w>;
    type SerializeTuple = Compound<'w>;
    type SerializeTupleStruct = Compound<'w>;
    type SerializeTupleVariant = Compound<'w>;
    type SerializeMap = Compound<'w>;
    type SerializeStruct = Compound<'w>;
    type SerializeStructVariant = Compound<'w>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i16(self, value: i16) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u16(self, value: u16) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u32(self, value: u32) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        self.display(value)
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.text.push_str(&serde_json::to_string(&value)?);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.quoted(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.quoted(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.text.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.quoted(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = self.open('{', "}")?;
        object.name(variant)?;
        object.member(value)?;
        object.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'w>, Error> {
        self.open('[', "]")
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'w>, Error> {
        self.open('[', "]")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'w>, Error> {
        self.open('[', "]")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w>, Error> {
        self.variant(variant, '[', "]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'w>, Error> {
        self.open('{', "}")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'w>, Error> {
        self.open('{', "}")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w>, Error> {
        self.variant(variant, '{', "}}")
    }
}

impl ser::SerializeSeq for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeTuple for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeTupleStruct for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeTupleVariant for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, name: &T) -> Result<(), Error> {
        self.name(name)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeStruct for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.name(name)?;
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeStructVariant for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.name(name)?;
        self.member(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}
